/** Called before and after each asynchronous call, with what is called; a rejection takes the call's place. */
export type Knock = (door: Door) => Promise<void>;

/** An await: while it lasts, anything may happen. */
export interface Door {
  /** Such as `accounts.setOnline`. */
  call: string;
  /** Whether the call has been done. */
  side: 'before' | 'after';
}

type Call = (...given: unknown[]) => Promise<unknown>;

/** The same object, with a door before and after each call of its methods, which are all asynchronous. */
export function withDoors<T extends object>(target: T, name: string, knock: Knock): T {
  return new Proxy(target, {
    get: (of, key) => {
      const value: unknown = Reflect.get(of, key);
      if (typeof value !== 'function') return value;
      const call = `${name}.${String(key)}`;
      return async (...given: unknown[]) => {
        await knock({ call, side: 'before' });
        const result = await (value as Call).apply(of, given);
        await knock({ call, side: 'after' });
        return result;
      };
    },
  });
}

/** An object of such objects, for example a store. */
export function withDoorsInParts<T extends object>(target: T, knock: Knock): T {
  const parts = Object.entries(target).map(([name, part]) => [name, withDoors(part as object, name, knock)] as const);
  return Object.fromEntries(parts) as T;
}
