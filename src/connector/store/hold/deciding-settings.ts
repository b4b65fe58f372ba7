import { z } from 'zod';

const Texts = z.array(z.string()).readonly();

const DecidingSettings = z.object({
  ircChannels: Texts,
  ownerLogins: Texts,
  ownerSubjects: Texts,
  maxUsers: z.number(),
  personalTokens: z.boolean(),
});

/** Settings that decide who may come in, and to what; see `decideSettings`. */
export type DecidingSettings = Readonly<z.infer<typeof DecidingSettings>>;

/** Parses settings that are stored as JSON; undefined if they are damaged. */
export function decidingSettingsIn(content: string): DecidingSettings | undefined {
  try {
    return DecidingSettings.safeParse(JSON.parse(content)).data;
  } catch {
    // A damaged decision counts as none.
    return undefined;
  }
}
