import type { Tool, ToolChoice } from "../../conversation.ts";
import { splitWords, type Words } from "./words.ts";

/** Words that say nothing about what a tool is for. */
const STOP_WORDS = new Set(
  "the and for from with that this into your you are what which when where how can get set use tool function".split(
    " ",
  ),
);

/** A word of the tool's name counts for more than one of its description. */
const NAME_WEIGHT = 3;

/**
 * The tools that fit the user's words, best first; never empty, because a demonstration that calls nothing shows nothing.
 * Behind the best one only those whose very name was mentioned.
 */
export function chooseTools(tools: readonly Tool[], choice: ToolChoice, words: Words): Tool[] {
  const allowed = choice.only ? tools.filter((tool) => choice.only?.includes(tool.name)) : tools;
  const rated = allowed.map((tool) => {
    const named = overlap(tool.name, words);
    return { tool, named, score: NAME_WEIGHT * named + overlap(tool.description ?? "", words) };
  });
  const ranked = rated.toSorted((a, b) => b.score - a.score);
  return ranked.filter(({ named }, rank) => rank === 0 || named > 0).map(({ tool }) => tool);
}

function overlap(text: string, words: Words): number {
  const own = new Set(splitWords(text));
  return [...own].filter((word) => word.length > 2 && !STOP_WORDS.has(word) && words.all.has(word)).length;
}
