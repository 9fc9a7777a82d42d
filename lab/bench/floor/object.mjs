// The least cost of any Worker here that answers with an object of R2. A PUT stores it.
export default {
  async fetch(request, env) {
    const key = new URL(request.url).pathname;
    if (request.method === "PUT") {
      await env.DIFFS.put(key, await request.arrayBuffer());
      return new Response(null, { status: 204 });
    }
    return new Response((await env.DIFFS.get(key)).body);
  },
};
