import { createErrors } from "../openai/errors.ts";

export const { errorBody, renderError } = createErrors("messages");
