/** Kinds of metrics in the text format. */
type MetricType = 'counter' | 'gauge' | 'untyped';

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  labels: Labels;
  value: number;
}

/** A metric name with all its samples; one without samples is not written. */
export interface Family {
  name: string;
  type: MetricType;
  help: string;
  samples: readonly Sample[];
}

const NO_LABELS: Labels = {};

/** A value that may go down; a bare number is one sample without labels. */
export function gauge(name: string, help: string, samples: number | readonly Sample[]): Family {
  return { name, type: 'gauge', help, samples: samplesOf(samples) };
}

/** A value that only grows until its source starts anew; the name ends in `_total`. */
export function counter(name: string, help: string, samples: number | readonly Sample[]): Family {
  return { name, type: 'counter', help, samples: samplesOf(samples) };
}

/** A value whose kind its source leaves open. */
export function untyped(name: string, help: string, samples: number | readonly Sample[]): Family {
  return { name, type: 'untyped', help, samples: samplesOf(samples) };
}

function samplesOf(samples: number | readonly Sample[]): readonly Sample[] {
  return typeof samples === 'number' ? [{ labels: NO_LABELS, value: samples }] : samples;
}
