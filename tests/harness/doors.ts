/** An await: while it lasts, anything may happen. */
export interface Door {
  /** Such as `accounts.setOnline`. */
  call: string;
  /** Whether the call has been done. */
  side: 'before' | 'after';
  /** Made where the call was made. */
  origin: Error;
}

export interface Doorkeeper {
  /** Called before and after each call; a rejection takes the call's place. */
  knock: (door: Door) => Promise<void>;
  /** Does the call itself. */
  during: <T>(work: Promise<T>) => Promise<T>;
}

type Call = (...given: unknown[]) => Promise<unknown>;

/** The same object, with a door before and after each call of its methods, which are all asynchronous. */
export function withDoors<T extends object>(target: T, name: string, { knock, during }: Doorkeeper): T {
  return new Proxy(target, {
    get: (of, key) => {
      const value: unknown = Reflect.get(of, key);
      if (typeof value !== 'function') return value;
      const call = `${name}.${String(key)}`;
      return async (...given: unknown[]) => {
        const origin = new Error(call);
        await knock({ call, side: 'before', origin });
        const result = await during((value as Call).apply(of, given));
        await knock({ call, side: 'after', origin });
        return result;
      };
    },
  });
}

/** An object of such objects, for example a store. */
export function withDoorsInParts<T extends object>(target: T, keeper: Doorkeeper): T {
  const parts = Object.entries(target).map(([name, part]) => [name, withDoors(part as object, name, keeper)] as const);
  return Object.fromEntries(parts) as T;
}

/** Where in the program the call was made, and from where that was called: the same for each visit of the same await. */
export function wayTo({ origin }: Door): string {
  const places = origin.stack?.match(/src\/connector\/[\w/.-]+:\d+:\d+/g) ?? [];
  return places.join(' < ');
}
