SELECT
  tenant,
  model,
  estimated,
  SUM(weight * input_tokens) AS input,
  SUM(weight * output_tokens) AS output
FROM (
  SELECT
    index1 AS tenant,
    blob1 AS kind,
    blob2 AS model,
    blob18 AS estimated,
    double8 AS input_tokens,
    double9 AS output_tokens,
    _sample_interval AS weight
  FROM toolsieve
  WHERE timestamp > NOW() - INTERVAL '30' DAY
)
WHERE kind = 'reply'
GROUP BY tenant, model, estimated
ORDER BY input DESC
