/** The body of `GET /v1beta/models`. */
export function renderModels(names: readonly string[]): object {
  return { models: names.map(renderModel) };
}

/**
 * The body of `GET /v1beta/models/{name}`. Nobody here knows a model's limits, but clients take them for numbers. A client
 * cuts its own history to the first, and a low guess would cost it what the model could have read: it is as high as the
 * vendor's own. It asks for as much output as the second, and upstreams refuse more than they can hold: it is low.
 */
export function renderModel(name: string): object {
  return {
    name: `models/${name}`,
    version: "001",
    displayName: name,
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 8_192,
    supportedGenerationMethods: ["generateContent", "streamGenerateContent", "countTokens"],
  };
}
