declare module 'irc-framework' {
  /** The result of the library's parser for one line. */
  export interface ParsedMessage {
    tags: Record<string, string>;
    nick: string;
    command: string;
    params: string[];
  }
  const library: {
    ircLineParser(line: string): ParsedMessage;
    MessageTags: { encode(tags: Record<string, string>): string; decode(text: string): Record<string, string> };
  };
  export default library;
}
