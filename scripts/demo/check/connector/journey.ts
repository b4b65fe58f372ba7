import type { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Locator, Page } from 'playwright-core';
import type { OpenParts } from '../../open-parts.ts';
import type { OpenBrowser } from '../browser.ts';
import { expectThat } from '../expect.ts';
import type { IrcClient } from '../irc-client.ts';
import type { AgentAuthorization } from '../oauth-client.ts';
import type { Step } from '../steps.ts';

export const REQUEST_DEADLINE_MS = 10_000;

/** Names under which the agents register. */
export const AGENT_NAME = 'Homeport check';
export const SISTER_NAME = 'Second agent';

export type ConnectorStep = Omit<Step, 'program'>;

export interface Means {
  browser: OpenBrowser;
  parts: OpenParts;
  /** Folder for pictures of the pages. */
  screenshots: string;
}

export interface ConnectedAgent {
  authorization: AgentAuthorization;
  transport: StreamableHTTPClientTransport;
  client: Client;
}

/** Results of earlier steps that later ones need. */
export interface Found {
  agent?: ConnectedAgent;
  /** Another agent of the same person. */
  sister?: ConnectedAgent;
  irc?: IrcClient;
  /** The message the first agent sent. */
  messageId?: string;
}

export const present = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('an earlier step did not run');
  return value;
};

/** Calls a tool and returns its structured content; a refusal ends the step with the tool's own words. */
export async function callTool(
  { client }: ConnectedAgent,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: args });
  expectThat(result.isError !== true, `${name} to succeed, it says: ${JSON.stringify(result.content)}`);
  return result.structuredContent as Record<string, unknown>;
}

/** Presses a button of the settings; resolves at the page that says it is done. */
export async function saveBy(page: Page, button: Locator): Promise<void> {
  await button.click();
  await page.waitForURL((url) => url.searchParams.has('done'));
}
