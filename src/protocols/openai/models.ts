/** The body of `GET /v1/models`. */
export function renderModels(names: readonly string[]): object {
  return { object: "list", data: names.map(renderModel) };
}

/** The body of `GET /v1/models/{name}`. When a model was made, and by whom, nobody here knows. */
export function renderModel(id: string): object {
  return { id, object: "model", created: 0, owned_by: "toolsieve" };
}
