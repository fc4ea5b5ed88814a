import type { Tool, ToolChoice } from "../../conversation.ts";
import { splitWords, type Words } from "./words.ts";

/** Words that say nothing about what a tool is for; shorter ones never do. */
const STOP_WORDS = /^(?:.{0,2}|the|and|for|with|that|thi|your?|what|how|can|get|set|use|tool|function)$/;

/** A word of the tool's name counts for more than one of its description. */
const NAME_WEIGHT = 3;

/**
 * The tools that fit the user's words, best first; never empty, because a demonstration that calls nothing shows nothing.
 * Behind the best one only those whose very name was mentioned.
 */
export function chooseTools(tools: readonly Tool[], { only }: ToolChoice, words: Words): Tool[] {
  const rated = tools
    .filter((tool) => only?.includes(tool.name) ?? true)
    .map((tool) => {
      const named = overlap(tool.name, words);
      return { tool, named, score: NAME_WEIGHT * named + overlap(tool.description ?? "", words) };
    });
  const ranked = rated.toSorted((a, b) => b.score - a.score);
  return ranked.filter(({ named }, rank) => rank === 0 || named > 0).map(({ tool }) => tool);
}

function overlap(text: string, words: Words): number {
  return [...new Set(splitWords(text))].filter((word) => !STOP_WORDS.test(word) && words.all.has(word)).length;
}
