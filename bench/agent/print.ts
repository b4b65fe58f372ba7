/** One figure of the benchmark. */
export interface Row {
  what: string;
  value: number;
  /** The goal; without it the row is information. */
  atMost?: number;
}

const WHAT_COLUMNS = 66;
const NAME_COLUMNS = 36;
const FIGURE_COLUMNS = 20;

export function printRows(rows: readonly Row[]): void {
  for (const { what, value, atMost } of rows) {
    const goal = atMost === undefined ? '' : `   at most ${atMost}${value <= atMost ? '' : ': MISSED'}`;
    console.log(`${what.padEnd(WHAT_COLUMNS)}${value.toFixed(2).padStart(8)}${goal}`);
  }
}

/** @param figures subject -> name of the figure with its unit -> value */
export function printFigures(title: string, figures: Readonly<Record<string, object>>): void {
  const keys = Object.keys(Object.values(figures)[0] ?? {});
  console.log(`\n${title.padEnd(NAME_COLUMNS)}${keys.map((key) => key.padStart(FIGURE_COLUMNS)).join('')}`);
  for (const [name, values] of Object.entries(figures)) {
    const cells = Object.values(values).map((value) => Number(value).toFixed(3).padStart(FIGURE_COLUMNS));
    console.log(name.padEnd(NAME_COLUMNS) + cells.join(''));
  }
}
