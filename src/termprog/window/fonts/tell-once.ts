import type { Diagnostics } from '../../diagnostics.ts';

/** Different lines that are remembered; those of a configuration are far fewer. */
const REMEMBERED_MAX = 256;

/** Tells each warning once: the fonts of all slots are made from the same resources, and opened at each switch. */
export function tellOnce({ warning }: Pick<Diagnostics, 'warning'>): Pick<Diagnostics, 'warning'> {
  const told = new Set<string>();
  return {
    warning: (line) => {
      if (told.has(line)) return;
      if (told.size < REMEMBERED_MAX) told.add(line);
      warning(line);
    },
  };
}
