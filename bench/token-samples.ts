import { random } from "../test/random.ts";
import { LANGUAGES } from "./language-samples.ts";

const instructions = `# Working in this repository

You are an assistant that helps engineers with software tasks. Be concise, direct and honest. Prefer reading the code over guessing what it does.

- Use \`search_files\` before you open a file that you have not seen; never assume that a library is available.
- When you edit, keep the existing style: indentation, naming, imports. Do NOT add comments unless asked.
- **IMPORTANT**: run the linter and the type checker (e.g. \`npm run lint\`, \`ruff check .\`) when you are done, if they exist.
- Never commit changes unless the user explicitly asks you to.

## Examples

<example>
user: which file has the retry logic?
assistant: src/http/retry.ts:42
</example>

1. Plan the work with the todo tool, one item in progress at a time.
2. If a command fails twice for the same reason, stop and ask.
3. Answer in fewer than 4 lines, not counting tool use or code.`;

const emoji = `Launch day! 🚀🚀 Thanks to everyone who helped 🙏 — the build is green ✅, the docs are up 📚 and nobody cried 😅 (much 😭). Next: 1️⃣ fix the login bug 🐛 2️⃣ ship dark mode 🌙 3️⃣ sleep 💤. 👩‍💻👨🏽‍🔧 you are the best ❤️🔥🎉 See you on Monday 👋🇫🇷🇯🇵`;

const symbols = `┌────────────┬──────────┐
│ name       │ state    │
├────────────┼──────────┤
│ alpha      │ ✓ ready  │
│ beta       │ ✗ failed │
└────────────┴──────────┘
→ next step … “quoted” – dashed — 20 °C ± 2 · 3 × 4 ≤ 15 ≠ ∞ • item ▶ go`;

const python = `from __future__ import annotations

import asyncio
from dataclasses import dataclass, field


@dataclass(slots=True)
class RateLimiter:
    """Allows at most \`\`capacity\`\` calls per \`\`window\`\` seconds."""

    capacity: int = 10
    window: float = 1.0
    _stamps: list[float] = field(default_factory=list)

    async def acquire(self, *, timeout: float | None = None) -> bool:
        loop = asyncio.get_running_loop()
        deadline = None if timeout is None else loop.time() + timeout
        while True:
            now = loop.time()
            self._stamps = [s for s in self._stamps if now - s < self.window]
            if len(self._stamps) < self.capacity:
                self._stamps.append(now)
                return True
            if deadline is not None and now >= deadline:
                return False
            await asyncio.sleep(min(0.05, self.window / 10))
`;

const c = `static int parse_header(const uint8_t *buf, size_t len, struct hdr *out)
{
\tif (len < HDR_MIN_SIZE || buf[0] != 0x7f)
\t\treturn -EINVAL;

\tout->version = buf[1] >> 4;
\tout->flags   = buf[1] & 0x0f;
\tout->length  = ((uint32_t)buf[2] << 24) | (buf[3] << 16) | (buf[4] << 8) | buf[5];
\tfor (size_t i = 0; i < ARRAY_SIZE(handlers); ++i) {
\t\tif (handlers[i].id == out->version && handlers[i].fn != NULL)
\t\t\treturn handlers[i].fn(out, buf + HDR_MIN_SIZE);
\t}
\tlog_warn("unknown version %u (flags=0x%02x)\\n", out->version, out->flags);
\treturn -ENOTSUP;
}
`;

const html = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="/assets/main.3f9c2b.css">
    <title>Orders &middot; Harbour Books</title>
  </head>
  <body class="layout layout--wide" data-theme="dark">
    <nav id="top-nav" aria-label="Main"><a href="/">Home</a> <a href="/orders?page=2&amp;sort=date">Orders</a></nav>
    <table class="orders">
      <tr><th scope="col">No.</th><th scope="col">Customer</th><th scope="col">Total</th></tr>
      <tr><td>10482</td><td>A. Lindqvist</td><td>&euro;&nbsp;37.50</td></tr>
      <tr><td>10483</td><td>R. Okafor</td><td>&euro;&nbsp;112.00</td></tr>
    </table>
    <script type="module">import { mount } from "/assets/app.js"; mount(document.querySelector("table.orders"));</script>
  </body>
</html>
`;

const diff = `diff --git a/src/cache.ts b/src/cache.ts
index 8d1f0a2..c47be93 100644
--- a/src/cache.ts
+++ b/src/cache.ts
@@ -18,9 +18,12 @@ export class Cache<V> {
   get(key: string): V | undefined {
-    const entry = this.entries[key];
-    if (!entry) return undefined;
+    const entry = this.#entries.get(key);
+    if (entry === undefined || entry.expires < Date.now()) {
+      this.#entries.delete(key);
+      return undefined;
+    }
     return entry.value;
   }
`;

const shell = `$ ls -la build/
total 1284
drwxr-xr-x  5 builder staff    160 Mar  3 09:14 .
drwxr-xr-x 21 builder staff    672 Mar  3 09:12 ..
-rw-r--r--  1 builder staff 1048576 Mar  3 09:14 bundle.js
-rw-r--r--  1 builder staff  251904 Mar  3 09:14 bundle.js.map
$ npm test 2>&1 | tail -5
2026-03-03T09:15:22.481Z INFO  [worker-3] GET /api/v2/users/8841?expand=teams 200 (37.2 ms) req=01HQZX7M4K
2026-03-03T09:15:22.907Z ERROR [worker-1] connect ECONNREFUSED 10.0.12.7:5432
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)
`;

/** As the tools of editors and of servers describe themselves. */
const tools = JSON.stringify([
  {
    name: "edit_file",
    description:
      "Replaces text in a file. Read the file first: the call fails when old_string is not found, or when it is found more than once and replace_all is not set. Keep the indentation (tabs and spaces) exactly as it is in the file, without the line numbers that the reader prints.",
    input_schema: {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: {
        file_path: { type: "string", description: "The absolute path of the file to modify" },
        old_string: { type: "string", description: "The text to replace" },
        new_string: { type: "string", description: "The text to replace it with (must be different from old_string)" },
        replace_all: { type: "boolean", default: false, description: "Replace every occurrence (default false)" },
      },
      required: ["file_path", "old_string", "new_string"],
      additionalProperties: false,
    },
  },
  {
    name: "mcp__calendar__create_event",
    description: "Creates an event. Times are RFC 3339; without a time zone the user's own one is assumed.",
    input_schema: {
      type: "object",
      properties: {
        title: { type: "string", minLength: 1, maxLength: 200 },
        startsAt: { type: "string", format: "date-time" },
        durationMinutes: { type: "integer", minimum: 5, maximum: 1440 },
        attendees: { type: "array", items: { type: "string", format: "email" }, description: "E-mail addresses" },
        visibility: { enum: ["public", "private", "confidential"] },
        recurrence: { anyOf: [{ type: "null" }, { type: "string", pattern: "^RRULE:[A-Z=;,0-9]+$" }] },
      },
      required: ["title", "startsAt"],
    },
  },
]);

const data = JSON.stringify(
  [
    {
      id: 48213,
      name: "Amara Okonkwo",
      email: "amara.okonkwo@example.com",
      active: true,
      score: 0.8731,
      tags: ["beta"],
    },
    { id: 48214, name: "Jonas Lindholm", email: "jlindholm@example.org", active: false, score: 12.5, tags: [] },
    { id: 48215, name: "Mei-Ling Zhao", email: null, active: true, score: -3, tags: ["admin", "eu-west-1"] },
  ],
  null,
  2,
);

const numbers = Array.from({ length: 40 }, (_, row) =>
  [row + 1, row * 7919 + 104_729, ((row * 37) % 101) / 8, -row * 1.25e3].join(","),
).join("\n");

function characters(alphabet: string, count: number): string {
  const next = random(20_261_130);
  return Array.from({ length: count }, () => alphabet[Math.floor(next() * alphabet.length)]).join("");
}

const HEX = "0123456789abcdef";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const BASE64 = `${UPPER}${UPPER.toLowerCase()}0123456789+/`;

const identifiers = Array.from({ length: 12 }, (_, row) => {
  const hex = characters(HEX, 32 * 12).slice(row * 32, (row + 1) * 32);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}).join("\n");

const blank = `{\n${"        ".repeat(4)}"a": 1,\n\n\n${" ".repeat(60)}x\n${"\t".repeat(12)}y\n${"\n".repeat(10)}}${" ".repeat(200)}`;

/** What an upstream is sent: the client's system text, tools as signatures, a history in the taught notation. */
const prompt = `You are a careful assistant for a small team. Today is Tuesday, 3 March 2026. Working directory: /home/dev/harbour

# Tools
Tools you can call, as signatures. \`?\` marks an optional parameter, \`=\` its default, \`//\` a note.

<tools>
// Reads a file and returns its lines with their numbers. Use offset and limit for long files.
read_file(
  path: string  // Absolute, or relative to the working directory
  offset?: integer = 1
  limit?: integer  // At most 2000
)

// Searches the contents of files with a regular expression
search_files(pattern: string, glob?: string, case_sensitive?: boolean = false, output?: "content" | "files" | "count")
</tools>

Can you find out where the session cookie is set? I think it expires too early.

I will search for it first.

<tool_calls>
<invoke name="search_files">
<parameter name="pattern"><![CDATA[set-?cookie|sessionId]]></parameter>
<parameter name="glob"><![CDATA[src/**/*.ts]]></parameter>
<parameter name="case_sensitive">false</parameter>
</invoke>
<invoke name="read_file">
<parameter name="path"><![CDATA[src/http/session.ts]]></parameter>
<parameter name="limit">40</parameter>
</invoke>
</tool_calls>

<tool_results>
<result n="1" tool="search_files">
src/http/session.ts:17:  headers.append("set-cookie", serialize("sid", sessionId, { maxAge: MAX_AGE, httpOnly: true }));
src/http/logout.ts:9:  headers.append("set-cookie", serialize("sid", "", { maxAge: 0 }));
</result>
<result n="2" tool="read_file">
12  /** Seconds; a day. */
13  const MAX_AGE = 60 * 60;
14
15  export function setSession(headers: Headers, sessionId: string): void {
</result>
</tool_results>`;

export type Kind = "prompt" | "prose" | "code" | "language" | "symbols" | "bytes";

export interface Sample {
  name: string;
  kind: Kind;
  text: string;
}

const of = (kind: Kind, texts: Readonly<Record<string, string>>): Sample[] =>
  Object.entries(texts).map(([name, text]) => ({ name, kind, text }));

const { English = "", ...languages } = LANGUAGES;

/** Short texts of many kinds, the same at every run. */
export const SAMPLES: readonly Sample[] = [
  ...of("prompt", { "rendered prompt": prompt }),
  ...of("prose", { "English story": English, instructions }),
  ...of("code", {
    Python: python,
    C: c,
    HTML: html,
    diff,
    "shell and logs": shell,
    "tools as JSON": tools,
    "data as JSON": data,
  }),
  ...of("language", languages),
  ...of("symbols", { emoji, "boxes and symbols": symbols, "white space": blank }),
  ...of("bytes", {
    numbers,
    base64: characters(BASE64, 1_000),
    hex: characters(HEX, 1_000),
    UUIDs: identifiers,
  }),
];
