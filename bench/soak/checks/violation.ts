import type { Violation } from '../observations.ts';

type Facts = Partial<Pick<Violation, 'at' | 'account' | 'channel'>>;

export const violation = (kind: string, found: string, { at, account, channel }: Facts = {}): Violation => ({
  ...{ kind, at, account, channel, found },
});
