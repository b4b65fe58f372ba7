import type { WireEvent } from 'x11';

/** Makes an event as the library does, with the fields that matter. */
export function event(name: string, fields: Partial<WireEvent> = {}): WireEvent {
  return { name, ...fields } as WireEvent;
}
