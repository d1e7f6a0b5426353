import type { Metric, MetricObjectWithValues, MetricValueWithName, Registry } from 'prom-client';

const NAME = 'malote_http_request_duration_seconds';
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface RequestLabels {
  method: string;
  route: string;
  status: number;
}

interface Durations {
  labels: Record<keyof RequestLabels, string>;
  /** The number of answers in each bucket; the last element counts those above all buckets. */
  counts: number[];
  sum: number;
}

/**
 * The histogram of answered requests. That of prom-client checks and joins its labels for every value, which takes a
 * microsecond of a small request. Here the labels are given once for each kind of answer.
 */
export function requestDurations(registry: Registry): (labels: RequestLabels) => (seconds: number) => void {
  const kinds: Durations[] = [];
  const metric = {
    name: NAME,
    help: 'Answered requests by method, route and status; _count counts them',
    type: 'histogram',
    aggregator: 'sum',
  } as unknown as MetricObjectWithValues<MetricValueWithName<string>>;
  const get = async () => ({ ...metric, values: kinds.flatMap(valuesOf) });
  registry.registerMetric({ ...metric, get } as unknown as Metric);
  return ({ method, route, status }) => {
    const labels = { method, route, status: String(status) };
    const durations: Durations = { labels, counts: Array(SECONDS.length + 1).fill(0), sum: 0 };
    kinds.push(durations);
    return (seconds) => {
      let bucket = 0;
      while (seconds > SECONDS[bucket]!) bucket += 1;
      durations.counts[bucket]! += 1;
      durations.sum += seconds;
    };
  };
}

function valuesOf({ labels, counts, sum }: Durations): MetricValueWithName<string>[] {
  let total = 0;
  const buckets = [...SECONDS, '+Inf'].map((le, place) => {
    total += counts[place]!;
    return { metricName: `${NAME}_bucket`, labels: { le, ...labels }, value: total };
  });
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sum },
    { metricName: `${NAME}_count`, labels, value: total },
  ];
}
