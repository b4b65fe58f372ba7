import type { Bouncer } from '../../../src/connector/ports/bouncer.ts';
import type { BouncerSession } from '../../../src/connector/ports/bouncer-session.ts';

/** Methods of a session that write; a process without its right may only read and listen. */
const WRITES: readonly (string | symbol)[] = ['sendMessage', 'changeNick', 'join', 'part'];

/** The bouncer as one process reaches it: while the process is not trusted, it can't say or change anything there. */
export function permittedBouncer(bouncer: Bouncer, isTrusted: () => boolean): Bouncer {
  const guarded = <T extends object>(target: T, isGuarded: (key: string | symbol) => boolean): T =>
    new Proxy(target, {
      get: (of, key) => {
        const value: unknown = Reflect.get(of, key);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]) => {
          if (isGuarded(key) && !isTrusted()) throw new Error('this process may not write to the bouncer now');
          return (value as (...all: unknown[]) => unknown).apply(of, given);
        };
      },
    });
  const whole = guarded(bouncer, () => true);
  return new Proxy(whole, {
    get: (of, key) => {
      if (key === 'logins') return guarded(of.logins, () => true);
      if (key !== 'attach') return Reflect.get(of, key);
      return async (...given: Parameters<Bouncer['attach']>): Promise<BouncerSession> =>
        guarded(await of.attach(...given), (method) => WRITES.includes(method));
    },
  });
}
