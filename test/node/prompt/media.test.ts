import { describe, expect, test } from "vitest";
import type { MediaPart, Part } from "../../../src/conversation.ts";
import { capResults } from "../../../src/prompt/fit-parts.ts";
import { type ImageForm, showImages } from "../../../src/prompt/media.ts";
import { renderNative } from "../../../src/prompt/native.ts";
import { assistant, call, render, text, user } from "./conversations.ts";

const ALL: ImageForm[] = ["url", "png", "jpeg", "gif", "webp"];
const media = (mediaType: string, rest: Partial<MediaPart>): MediaPart => ({ type: "media", mediaType, ...rest });
const shown = (part: Part, forms = ALL) => showImages([user(part)], forms)[0]?.parts[0];
const image = (url: string): Part => ({ type: "image", url });
const resultOf = (callId: string, ...parts: Part[]): Part => ({ type: "tool-result", callId, failed: false, parts });

describe("an image that can be shown", () => {
  test.each([
    ["PNG", media("image/png", { data: "iVBORw0KGgoA" }), "data:image/png;base64,iVBORw0KGgoA"],
    ["JPEG", media("image/jpeg", { data: "/9j/4AAQ" }), "data:image/jpeg;base64,/9j/4AAQ"],
    ["GIF", media("image/gif", { data: "R0lGODlh" }), "data:image/gif;base64,R0lGODlh"],
    ["WebP", media("image/webp", { data: "UklGRgAA" }), "data:image/webp;base64,UklGRgAA"],
    ["JPEG that is called PNG", media("image/png", { data: "/9j/4AAQ" }), "data:image/jpeg;base64,/9j/4AAQ"],
    ["PNG of no type", media("image/*", { data: "iVBORw0KGgoA" }), "data:image/png;base64,iVBORw0KGgoA"],
    ["JPEG in the other alphabet", media("image/jpg", { data: "_9j_4-__" }), "data:image/jpeg;base64,/9j/4+//"],
    ["GIF in lines", media("image/gif", { data: "R0lG\r\nODlh\n" }), "data:image/gif;base64,R0lGODlh"],
    ["GIF that is not filled up", media("image/gif", { data: "R0lGODlhAA" }), "data:image/gif;base64,R0lGODlhAA=="],
    [
      "GIF that is filled up too far",
      media("image/gif", { data: "R0lGODlhAAA==" }),
      "data:image/gif;base64,R0lGODlhAAA=",
    ],
    ["address", media("image/*", { url: "https://h/a?b" }), "https://h/a?b"],
    ["address of a type", media("IMAGE/PNG", { url: "http://h/a.png" }), "http://h/a.png"],
  ])("%s", (_what, part, url) => {
    expect(shown(part)).toEqual(image(url));
  });
});

describe("what cannot be shown stays as it is", () => {
  test.each([
    ["no image", media("application/pdf", { data: "iVBORw0KGgoA" })],
    ["a drawing", media("image/svg+xml", { data: "PHN2Zz4=" })],
    ["a drawing at an address", media("image/svg+xml", { url: "https://h/a.svg" })],
    ["an address that is none of the web", media("image/*", { url: "file:///etc/passwd" })],
    ["a data URL that is no base64", media("image/*", { url: "data:,x" })],
    ["an image that is none", media("image/png", { data: "AAAA" })],
    ["one whose data is no base64", media("image/gif", { data: "R0lGODlh!AAA" })],
    ["one whose data is escaped", media("image/gif", { data: "R0lGODlhAA%3D%3D" })],
    ["one whose data lacks a piece", media("image/gif", { data: "R0lGODlhA" })],
    ["one whose data is filled up in its midst", media("image/gif", { data: "R0lGODlh==AA" })],
    ["one without data", media("image/png", { data: "" })],
    ["one that is stored elsewhere", media("image/*", { name: "file_1" })],
  ])("%s", (_what, part) => {
    expect(shown(part)).toBe(part);
  });

  test("a form that the upstream does not take", () => {
    for (const part of [media("image/png", { data: "iVBORw0KGgoA" }), media("image/*", { url: "https://h/a" })]) {
      expect(shown(part, ["jpeg"])).toBe(part);
    }
  });

  test("an image of the assistant", () => {
    const turns = [assistant(media("image/png", { data: "iVBORw0KGgoA" }))];
    expect(showImages(turns, ALL)).toEqual(turns);
  });
});

test("images of a result that is cut stand behind it", () => {
  const turn = user(resultOf("c1", image("https://h/a"), text("0123456789"), image("https://h/b")));
  const cut = resultOf("c1", text("01\n[… 6 characters left out …]\n89"), image("https://h/a"), image("https://h/b"));
  expect(capResults([turn], 4).turns[0]?.parts).toEqual([cut]);
  expect(capResults([turn], 10)).toEqual({ turns: [turn], cut: 0 });
});

describe("images in a prompt", () => {
  const calls = assistant(call("c1", "a"), call("c2", "b"));
  const [first, second, third] = ["1", "2", "3"].map((name) => image(`https://h/${name}`)) as [Part, Part, Part];
  // The client's order is not that of the calls.
  const results = [resultOf("c2", second), resultOf("c1", text("See"), first, text("there"))];
  const frame = `<tool_results>
<result n="1" tool="a">
See

[image 1]

there
</result>
<result n="2" tool="b">
[image 2]
</result>
</tool_results>`;

  test("are numbered in the order of the calls, and stand before what the user typed", () => {
    const [, message] = render({ turns: [calls, user(...results), user(text("Look:"), third, text("<|x|>"))] });
    expect(message?.content).toEqual([text(frame), first, second, text("Look:"), third, text("<~|x|>")]);
  });

  test("stand natively behind all results, the numbers of those without a call go on", () => {
    const orphan: Part = { ...(resultOf("gone", third) as object), name: "x" } as Part;
    const messages = renderNative({ system: "", turns: [calls, user(...results, orphan), user(text("Look."))] });
    expect(messages.slice(1)).toEqual([
      { role: "tool", callId: "c1", content: "See\n\n[image 1]\n\nthere" },
      { role: "tool", callId: "c2", content: "[image 2]" },
      { role: "user", content: [text("[result of x]\n[image 3]"), first, second, third, text("Look.")] },
    ]);
  });

  test("may be all that the user says, and what this turn asks stands behind them", () => {
    const turns = [user(first)];
    expect(render({ turns })[0]?.content).toEqual([first]);
    expect(render({ turns, responseFormat: { type: "json" } })[0]?.content).toEqual([
      first,
      { type: "text", text: expect.stringContaining("JSON") },
    ]);
  });
});
