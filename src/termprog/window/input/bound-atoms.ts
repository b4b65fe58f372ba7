import { type Binding, PAUSE } from '../../translations/binding.ts';
import type { AtomNamed } from '../../translations/matcher.ts';
import type { XConnection } from '../../x11/x-connection.ts';

/** Interns the atoms that bindings name; until the server has answered, they match no event. */
export function internBoundAtoms(connection: XConnection, bindings: readonly Binding[]): AtomNamed {
  const names = bindings.flatMap(({ steps }) =>
    steps.flatMap((step) => (step !== PAUSE && typeof step.detail === 'string' ? [step.detail] : [])),
  );
  const atoms = new Map<string, number>();
  for (const name of new Set(names)) {
    connection.internAtom(name).then(
      (atom) => atoms.set(name, atom),
      // Without a connection there are no further events.
      () => {},
    );
  }
  return (name) => atoms.get(name);
}
