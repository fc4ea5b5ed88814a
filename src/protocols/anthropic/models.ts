/** The body of `GET /v1/models`: all on one page. */
export function renderModels(names: readonly string[]): object {
  const [first_id = null] = names;
  return { data: names.map(renderModel), has_more: false, first_id, last_id: names.at(-1) ?? null };
}

/** The body of `GET /v1/models/{name}`. When a model was made nobody here knows: the epoch stands for that. */
export function renderModel(id: string): object {
  return { type: "model", id, display_name: id, created_at: "1970-01-01T00:00:00Z" };
}
