// The headers of every answer with bytes that somebody sent, in one table.

/** Types that no browser runs or takes for a document with scripts. */
const SAFE = /^(?:text\/plain; charset=utf-8|application\/octet-stream|application\/zip|application\/pdf|image\/(?:png|jpeg|gif|bmp|tiff|x-icon|webp)|video\/[a-z0-9-]+|audio\/[a-z0-9-]+)$/;
const SHOWN = /^(?:image|video|audio)\//;
const DISPOSITION = /^(?:inline|(?:inline|attachment); filename="[ !#-$&-[\]-~]*"; filename\*=UTF-8''[A-Za-z0-9._~%-]*)$/;
const POLICY = "sandbox; default-src 'none'";

export async function checkHeaders({ client, tokens }, addresses, tally) {
  tally.kind("the headers of all answers with bytes that somebody sent");
  const table = new Map();
  for (const [route, address] of addresses) {
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await client.ask(tokens.mallory, method, address);
      const type = headers["content-type"];
      const flaws = [];
      if (status !== 200) flaws.push(`status ${status}`);
      if (headers["content-security-policy"] !== POLICY) flaws.push(`policy ${headers["content-security-policy"]}`);
      if (headers["x-content-type-options"] !== "nosniff") flaws.push("no nosniff");
      if (!SAFE.test(type)) flaws.push(`type ${type}`);
      if (!DISPOSITION.test(headers["content-disposition"])) flaws.push(`disposition ${headers["content-disposition"]}`);
      if (type === "application/octet-stream" && !/^attachment;/.test(headers["content-disposition"]) && !/blobs\/|raw_blobs/.test(address)) flaws.push("bytes that are not saved");
      if (type === "application/pdf" && !/^attachment;/.test(headers["content-disposition"])) flaws.push("a PDF that is shown");
      if (!/^private, no-(?:store|cache)$/.test(headers["cache-control"])) flaws.push(`cache ${headers["cache-control"]}`);
      if (headers["set-cookie"]) flaws.push("a cookie");
      if (headers["access-control-allow-credentials"]) flaws.push("credentials of other origins");
      if (headers.location || headers.refresh || headers.link || headers["service-worker-allowed"]) flaws.push("a header that leads elsewhere");
      for (const flaw of flaws) tally.wrong(`${method} ${address}: ${flaw}`);
      const kind = SHOWN.test(type) ? type.replace(/\/.*/, "/…") : type;
      const row = table.get(`${route} ${kind}`) ?? { route, kind, shown: new Set(), cache: new Set(), count: 0, flawed: 0 };
      row.count++;
      row.flawed += flaws.length > 0;
      row.shown.add(headers["content-disposition"]?.split(";")[0]);
      row.cache.add(headers["cache-control"]);
      table.set(`${route} ${kind}`, row);
    }
  }
  console.log("\nanswers  flawed  route                     type                            disposition          cache");
  for (const { route, kind, shown, cache, count, flawed } of [...table.values()].sort((one, other) => (one.route < other.route ? -1 : 1))) {
    console.log(`${String(count).padStart(7)}${String(flawed).padStart(8)}  ${route.padEnd(25)} ${String(kind).padEnd(31)} ${[...shown].join(", ").padEnd(20)} ${[...cache].join(", ")}`);
  }
  console.log("");
}

