import type { WireEvent } from 'x11';

/** An event as the library gives it, with the fields that matter. */
export function event(name: string, fields: Partial<WireEvent> = {}): WireEvent {
  return { name, ...fields } as WireEvent;
}
