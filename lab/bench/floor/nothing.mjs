// The least cost of any Worker here: it answers without a database.
export default {
  fetch: () => Response.json({}),
};
