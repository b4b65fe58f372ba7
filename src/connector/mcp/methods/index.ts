import type { Method } from './define-method.ts';

/** Methods beside those of the protocol, which the library answers. */
export const methods: readonly Method[] = [];
