// The least cost of any Worker with a database here: one round trip for one bound value.
export default {
  async fetch(_request, env) {
    const [{ results }] = await env.DB.batch([env.DB.prepare("select ?1 as v").bind("1")]);
    return Response.json(results);
  },
};
