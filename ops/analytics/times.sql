SELECT
  model,
  SUM(weight * count) AS replies,
  quantileWeighted(0.5, asked_ms, weight) AS gateway_p50,
  quantileWeighted(0.95, asked_ms, weight) AS gateway_p95,
  quantileWeighted(0.5, upstream_ms, weight) AS upstream_p50,
  quantileWeighted(0.95, upstream_ms, weight) AS upstream_p95,
  quantileWeighted(0.5, whole_ms, weight) AS whole_p50,
  quantileWeighted(0.95, whole_ms, weight) AS whole_p95,
  quantileWeighted(0.95, held_characters, weight) AS held_characters_p95
FROM (
  SELECT
    blob1 AS kind,
    blob2 AS model,
    double1 AS count,
    double7 AS held_characters,
    double15 AS asked_ms,
    double16 AS upstream_ms,
    double18 AS whole_ms,
    _sample_interval AS weight
  FROM toolsieve
  WHERE timestamp > NOW() - INTERVAL '1' DAY
)
WHERE kind = 'reply' AND asked_ms >= 0 AND upstream_ms >= 0
GROUP BY model
ORDER BY replies DESC
