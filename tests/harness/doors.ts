/** An await: while it lasts, anything may happen. */
export interface Door {
  /** Name of the call, such as `accounts.setOnline`. */
  call: string;
  /** Whether the call has been done. */
  side: 'before' | 'after';
  /** Error that was made where the call was made; its stack shows the way. */
  origin: Error;
}

export interface Doorkeeper {
  /** Called before and after each call; a rejection takes the call's place. */
  knock: (door: Door) => Promise<void>;
  /** Does the call itself. */
  during: <T>(work: Promise<T>) => Promise<T>;
}

type Call = (...given: unknown[]) => Promise<unknown>;

/** Wraps an object with a door before and after each call of its methods, which are all asynchronous. */
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

/** Wraps each part of an object, for example of a store. */
export function withDoorsInParts<T extends object>(target: T, keeper: Doorkeeper): T {
  const parts = Object.entries(target).map(([name, part]) => [name, withDoors(part as object, name, keeper)] as const);
  return Object.fromEntries(parts) as T;
}

/** Returns the places in the program's call stack of a door: the same for each visit of the same await. */
export function wayTo({ origin }: Door): string {
  const places = origin.stack?.match(/src\/connector\/[\w/.-]+:\d+:\d+/g) ?? [];
  return places.join(' < ');
}
