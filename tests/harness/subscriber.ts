import { postMcp } from './oauth-client.ts';
import type { ConnectorStack } from './start-connector.ts';
import { RECEIVER_SECRET } from './webhook-receiver.ts';

export interface RpcAnswer {
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

export interface Wanted {
  url: string;
  secret?: string | undefined;
  filters?: Record<string, unknown>;
  more?: Record<string, unknown>;
}

/** The event methods by hand, for requests that no library would send. */
export interface Subscriber {
  subscribe(wanted: Wanted): Promise<RpcAnswer>;
  unsubscribe(wanted: Wanted): Promise<RpcAnswer>;
  /** A new subscription's id. @throws Error where it is refused */
  subscribed(wanted: Wanted): Promise<string>;
}

/** A client with an access token that may change. */
export function subscriberOf(stack: Pick<ConnectorStack, 'baseUrl'>, client: { accessToken: string }): Subscriber {
  const call = async (method: string, params: object): Promise<RpcAnswer> => {
    const headers = { authorization: `Bearer ${client.accessToken}` };
    return (await (await postMcp(stack, { jsonrpc: '2.0', id: 1, method, params }, headers)).json()) as RpcAnswer;
  };
  const paramsOf = ({ url, secret = RECEIVER_SECRET, filters = {}, more = {} }: Wanted) => ({
    name: 'message.mention',
    arguments: filters,
    delivery: { mode: 'webhook', url, secret },
    ...more,
  });
  const subscribe = (wanted: Wanted) => call('events/subscribe', paramsOf(wanted));
  return {
    subscribe,
    unsubscribe: (wanted) => call('events/unsubscribe', paramsOf(wanted)),
    subscribed: async (wanted) => {
      const { result, error } = await subscribe(wanted);
      if (result === undefined) throw new Error(JSON.stringify(error));
      return String(result['id']);
    },
  };
}
