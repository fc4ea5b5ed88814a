import type { JsonObject, Tool } from "../src/conversation.ts";

/** Lists of tools to measure prompts with: general ones, and a coding agent's with short and with long descriptions. */

interface Described {
  name: string;
  about: string;
  /** What an agent's maker adds from experience. */
  usage?: readonly string[];
  properties: JsonObject;
  required?: string[];
}

const text = (description: string, more: JsonObject = {}) => ({ type: "string", description, ...more });
const count = (description: string, more: JsonObject = {}) => ({ type: "integer", description, ...more });
const flag = (description: string) => ({ type: "boolean", description, default: false });
const listOf = (items: JsonObject, description: string) => ({ type: "array", items, description, minItems: 1 });
const object = (properties: JsonObject, required: string[]) => ({ type: "object", properties, required });

const GENERAL: readonly Described[] = [
  {
    name: "get_weather",
    about: "Weather forecast for a place.",
    properties: {
      place: text("City, with its country where the name is not unique"),
      days: count("Days ahead, today included", { minimum: 1, maximum: 10, default: 1 }),
      units: text("Units of the answer", { enum: ["metric", "imperial"] }),
    },
    required: ["place"],
  },
  {
    name: "search_mail",
    about: "Search the mailbox of the user and list what is found, newest first.",
    properties: {
      query: text("Words that all have to occur"),
      folder: text("Only in this folder"),
      since: text("Earliest day", { format: "date" }),
      limit: count("Most messages to list", { default: 20 }),
    },
    required: ["query"],
  },
  {
    name: "send_mail",
    about: "Send a message in the name of the user. Ask before you write to somebody new.",
    properties: {
      to: listOf(text("Address", { format: "email" }), "Who gets it"),
      subject: text("Subject line", { maxLength: 200 }),
      body: text("The message as plain text"),
      reply_to: text("Id of the message that is answered"),
    },
    required: ["to", "subject", "body"],
  },
  {
    name: "create_event",
    about: "Put an event into the calendar of the user.",
    properties: {
      title: text("Title"),
      start: text("Beginning", { format: "date-time" }),
      end: text("End; an hour later where it is left out", { format: "date-time" }),
      guests: listOf(
        object({ email: text("Address", { format: "email" }), optional: flag("May stay away") }, ["email"]),
        "Who is invited",
      ),
      visibility: text("Who can see it", { enum: ["default", "public", "private"] }),
    },
    required: ["title", "start"],
  },
  {
    name: "convert_currency",
    about: "Convert an amount of money at today's rate.",
    properties: {
      amount: { type: "number", description: "Amount", exclusiveMinimum: 0 },
      from: text("ISO code, such as EUR", { pattern: "^[A-Z]{3}$" }),
      to: text("ISO code", { pattern: "^[A-Z]{3}$" }),
    },
    required: ["amount", "from", "to"],
  },
];

const path = (of: string) => text(`Absolute path of the ${of}`);

const CODING: readonly Described[] = [
  {
    name: "read_file",
    about: "Read a file and show its lines with their numbers.",
    usage: [
      "Without a range the first 2000 lines are shown; ask for a range only if the file is longer than that.",
      "Lines of more than 2000 characters are cut, and end with a mark that says so.",
      "Images and PDF documents can be read as well; of a document name the pages if there are more than ten.",
      "A folder cannot be read: list it instead.",
      "Read several files that may matter in one go rather than one after the other.",
      "A file that exists but is empty gives a warning in place of its content, not an error.",
    ],
    properties: { path: path("file"), offset: count("First line", { minimum: 1 }), limit: count("Number of lines") },
    required: ["path"],
  },
  {
    name: "write_file",
    about: "Write a whole file; one that is there already is replaced.",
    usage: [
      "A file that exists has to be read in this session first, else the call fails.",
      "Prefer an edit of what is there to a new file, and never make documentation that nobody asked for.",
      "Folders that are missing are made on the way.",
      "The content is written as it is: no final line end is added, and line ends are not converted.",
    ],
    properties: { path: path("file"), content: text("All of its text") },
    required: ["path", "content"],
  },
  {
    name: "edit_file",
    about: "Replace a piece of text in a file.",
    usage: [
      "The old text has to stand in the file exactly so, its indentation included, without the line numbers that reading shows.",
      "It has to be the only one of its kind: take in more lines around it, or set `all` to change each of them.",
      "Read the file before its first edit; an edit of a file that has changed on disk since fails.",
      "Keep the style of the code around, and add no emoji unless the user asks for them.",
      "To rename something throughout a file, use `all`.",
    ],
    properties: {
      path: path("file"),
      old: text("Text to be replaced"),
      new: text("What takes its place"),
      all: flag("Replace every occurrence"),
    },
    required: ["path", "old", "new"],
  },
  {
    name: "edit_many",
    about: "Make several replacements in one file, all of them or none.",
    usage: [
      "They are made in the order of the list, each in what the one before has left.",
      "If one cannot be made, the file stays as it was, and the answer names the one that failed.",
      "Use it rather than one edit after another whenever a change touches more than one place of a file.",
    ],
    properties: {
      path: path("file"),
      edits: listOf(
        object({ old: text("Text to be replaced"), new: text("What takes its place"), all: flag("Every occurrence") }, [
          "old",
          "new",
        ]),
        "Replacements in order",
      ),
    },
    required: ["path", "edits"],
  },
  {
    name: "list_folder",
    about: "List a folder.",
    usage: ["Names that the ignore files of the repository exclude are left out.", "Folders end with a slash."],
    properties: {
      path: path("folder"),
      depth: count("Levels to go down", { minimum: 1, maximum: 5, default: 1 }),
      ignore: { type: "array", items: { type: "string" }, description: "Patterns of names to leave out" },
    },
    required: ["path"],
  },
  {
    name: "find_files",
    about: "Find files whose path fits a pattern, last changed first.",
    usage: [
      "Patterns are those of shells: `**` stands for any number of folders.",
      "It is quick in repositories of any size; for an open-ended search that takes several rounds, delegate instead.",
    ],
    properties: {
      pattern: text("Pattern such as src/**/*.ts"),
      path: text("Folder to search; the working folder by default"),
    },
    required: ["pattern"],
  },
  {
    name: "search",
    about: "Search the contents of files with a regular expression.",
    usage: [
      "Always use it in place of grep or rg on the command line: it knows what may be read and what is ignored.",
      "The syntax is that of Rust's regular expressions; braces of code have to be escaped.",
      "A pattern stays within one line unless `multiline` is set.",
      "Narrow a search down by a pattern of paths or a type rather than by reading all that was found.",
      "With `count` you learn how often something occurs before you decide to look at it.",
    ],
    properties: {
      pattern: text("Regular expression"),
      path: text("File or folder to search"),
      glob: text("Only files whose path fits"),
      type: text("Only files of a language, such as rust or py"),
      output: text("What to return", { enum: ["lines", "files", "count"], default: "files" }),
      context: count("Lines around each match", { minimum: 0 }),
      ignore_case: flag("Upper and lower case are the same"),
      multiline: flag("A match may go over several lines"),
      limit: count("Most results", { default: 250 }),
    },
    required: ["pattern"],
  },
  {
    name: "run_command",
    about: "Run a command in a shell that keeps its working folder.",
    usage: [
      "Look whether the folder is there before you make files in it, and put paths with blanks into double quotes.",
      "Join commands that depend on each other by `&&`, and send others as calls of their own in one block.",
      "A command is stopped after two minutes unless you give a time-out of up to ten.",
      "Of an output of more than 30000 characters the middle is left out.",
      "Start servers and other things that do not end with `background`, never with an ampersand.",
      "Never change the configuration of git, never force a push, and commit only if the user has asked for it.",
      "Do not search or read by command: there are tools for that, which are quicker and need no permission.",
      "Never use a command to say something to the user: your answer is the place for that.",
      "If a hook of a commit fails, mend what it found and make a new commit; do not go around it.",
    ],
    properties: {
      command: text("The command"),
      description: text("What it does, in five to ten words"),
      timeout_ms: count("Time it may take", { minimum: 1, maximum: 600000, default: 120000 }),
      background: flag("Go on without waiting for its end"),
    },
    required: ["command"],
  },
  {
    name: "read_output",
    about: "Read what a background command has written since the last time.",
    properties: { id: text("Id of the command"), filter: text("Only lines that match this expression") },
    required: ["id"],
  },
  {
    name: "stop_command",
    about: "Stop a background command.",
    properties: { id: text("Id of the command") },
    required: ["id"],
  },
  {
    name: "fetch_page",
    about: "Fetch a web page and answer a question about it.",
    usage: [
      "The page is turned into Markdown, and a small model answers from it: ask for what you need to know.",
      "If it leads to another host, the answer says so; fetch that address in a new call.",
      "Pages that ask for a log-in cannot be read.",
    ],
    properties: { url: text("Address of the page", { format: "uri" }), question: text("What to find out") },
    required: ["url", "question"],
  },
  {
    name: "search_web",
    about: "Search the web.",
    usage: [
      "Name the current year where you look for what is new.",
      "Give the addresses that you rely on in your answer.",
    ],
    properties: {
      query: text("What to look for", { minLength: 2 }),
      allowed_domains: { type: "array", items: { type: "string" }, description: "Only from these" },
      blocked_domains: { type: "array", items: { type: "string" }, description: "Never from these" },
    },
    required: ["query"],
  },
  {
    name: "plan_tasks",
    about: "Keep the list of tasks that the user sees.",
    usage: [
      "Use it for work of three steps or more, and when the user gives you several things to do.",
      "Do not use it for a single simple step, or for a question that only wants an answer.",
      "Exactly one task is under way at a time: mark it before you begin it, and as done as soon as it is.",
      "A task whose tests fail, or that is half finished, is not done.",
      "Send the whole list each time: what is missing in it is gone.",
    ],
    properties: {
      tasks: listOf(
        object(
          {
            text: text("What has to be done", { minLength: 1 }),
            state: { type: "string", enum: ["open", "active", "done"] },
            priority: { type: "string", enum: ["high", "medium", "low"] },
          },
          ["text", "state"],
        ),
        "The whole list",
      ),
    },
    required: ["tasks"],
  },
  {
    name: "ask_user",
    about: "Ask the user to choose.",
    usage: [
      "Ask only what you cannot find out yourself, and put the answer that you would give first.",
      "The user can always write something else: offer no such option.",
    ],
    properties: {
      question: text("The whole question"),
      options: listOf(
        object({ label: text("A few words"), meaning: text("What it leads to") }, ["label"]),
        "Two to four",
      ),
      several: flag("More than one may be chosen"),
    },
    required: ["question", "options"],
  },
  {
    name: "delegate",
    about: "Give a task to another agent, who works by itself and reports once.",
    usage: [
      "Use it for searches that take many rounds, and for parts of the work that do not depend on each other.",
      "Do not use it to read one file or to look for one definition: do that yourself.",
      "It sees nothing of this conversation, so the task has to say all that matters and what the report shall hold.",
      "The user does not see the report: tell what is in it that counts.",
      "Start several at once by several calls in one block.",
      "Say clearly whether code is to be written or only to be looked at.",
    ],
    properties: {
      task: text("All that it has to know"),
      title: text("The task in three to five words"),
      kind: text("Which agent", { enum: ["general", "explorer", "reviewer"], default: "general" }),
    },
    required: ["task", "title"],
  },
  {
    name: "edit_notebook",
    about: "Change a cell of a notebook.",
    properties: {
      path: path("notebook"),
      cell: text("Id of the cell; a new one is put behind it"),
      source: text("What the cell holds"),
      kind: text("Kind of a new cell", { enum: ["code", "markdown"] }),
      mode: text("What to do", { enum: ["replace", "insert", "delete"], default: "replace" }),
    },
    required: ["path", "source"],
  },
  {
    name: "show_diff",
    about: "Show what has changed in the working tree.",
    properties: {
      base: text("Commit or branch to compare with", { default: "HEAD" }),
      paths: { type: "array", items: { type: "string" }, description: "Only these files" },
      staged: flag("Only what is staged"),
    },
  },
  {
    name: "diagnostics",
    about: "Errors and warnings of the language server.",
    properties: {
      path: text("Only of this file"),
      severity: text("Least to list", { enum: ["error", "warning", "hint"] }),
    },
  },
  {
    name: "rename_symbol",
    about: "Rename a symbol wherever it is used.",
    properties: {
      path: path("file"),
      line: count("Line of the symbol", { minimum: 1 }),
      column: count("Its column", { minimum: 1 }),
      name: text("New name"),
    },
    required: ["path", "line", "column", "name"],
  },
  {
    name: "finish_plan",
    about: "Show the plan to the user and ask for leave to carry it out.",
    usage: ["Use it only in planning, when the plan is whole, and never to ask whether a plan is all right in words."],
    properties: { plan: text("The plan in Markdown") },
    required: ["plan"],
  },
];

/** Documented as many agents do it: a line of purpose, then a list of advice. */
function toTool({ name, about, usage = [], properties, required }: Described, long: boolean): Tool {
  const advice = long && usage.length > 0 ? `\n\nUsage:\n${usage.map((line) => `- ${line}`).join("\n")}` : "";
  return {
    name,
    description: about + advice,
    parameters: { type: "object", properties, ...(required && { required }), additionalProperties: false },
  };
}

export const TOOL_LISTS: Readonly<Record<string, readonly Tool[]>> = {
  "5 tools": GENERAL.map((tool) => toTool(tool, false)),
  "20 tools": CODING.map((tool) => toTool(tool, false)),
  "20 tools, long": CODING.map((tool) => toTool(tool, true)),
};
