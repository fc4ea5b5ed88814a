/** The lines of a case file. */
export function jsonLines<Line>(file: string): Line[] {
  const lines = file.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line));
}
