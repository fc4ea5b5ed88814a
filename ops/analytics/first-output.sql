SELECT
  model,
  wire,
  SUM(weight * count) AS streams,
  quantileWeighted(0.5, first_output_ms, weight) AS first_output_p50,
  quantileWeighted(0.95, first_output_ms, weight) AS first_output_p95
FROM (
  SELECT
    blob1 AS kind,
    blob2 AS model,
    blob3 AS wire,
    double1 AS count,
    double17 AS first_output_ms,
    _sample_interval AS weight
  FROM toolsieve
  WHERE timestamp > NOW() - INTERVAL '1' DAY
)
WHERE kind = 'reply' AND first_output_ms >= 0
GROUP BY model, wire
ORDER BY streams DESC
