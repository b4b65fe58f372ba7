/** Note in the description of an option that is accepted and has no effect yet. */
export const PENDING_NOTE = 'Accepted, without effect in this version.';

/** Note in the description of an option that may change while the service runs. */
export const SOFT_NOTE = 'A reload applies a change.';

/** Sentences that follow the description of an option wherever it is read. */
export function notesOf({ pending, isSoft = false }: { pending: boolean; isSoft?: boolean }): string[] {
  return [...(isSoft ? [SOFT_NOTE] : []), ...(pending ? [PENDING_NOTE] : [])];
}
