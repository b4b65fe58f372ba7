/** The part of the X client library that is used; it ships without types. Names are the library's. */
declare module 'x11' {
  import type { EventEmitter } from 'node:events';
  import type { Socket } from 'node:net';

  export interface Screen {
    root: number;
    default_colormap: number;
    white_pixel: number;
    black_pixel: number;
    pixel_width: number;
    pixel_height: number;
    mm_width: number;
    mm_height: number;
    root_depth: number;
    root_visual: number;
    /** Visuals by depth and id; `class` 4 is TrueColor. */
    depths: Record<number, Record<number, { class: number; red_mask: number; green_mask: number; blue_mask: number }>>;
  }

  export interface Display {
    client: Client;
    screen: Screen[];
    screen_num: number;
    /** Ids of the client's own resources: the client chooses the bits of the mask. */
    resource_base: number;
    resource_mask: number;
    min_keycode: number;
    max_keycode: number;
    format: Record<number, { bits_per_pixel: number; scanline_pad: number }>;
  }

  export interface Property {
    type: number;
    format: number;
    bytesAfter: number;
    data: Buffer;
  }

  /** Fields depend on `name`; the library's wire names. */
  export interface WireEvent {
    type: number;
    name?: string;
    wid: number;
    rawData: Buffer;
    time: number;
    keycode: number;
    /** Modifier and button state of key, button and motion events. */
    buttons: number;
    x: number;
    y: number;
    /** Position of key, button, motion and crossing events on the screen. */
    rootx: number;
    rooty: number;
    width: number;
    height: number;
    count: number;
    detail: number;
    mode: number;
    format: number;
    message_type: number;
    data: number[];
    request: number;
    atom: number;
    state: number;
    owner: number;
    requestor: number;
    selection: number;
    target: number;
    property: number;
    root: number;
    wid1: number;
  }

  export interface XError extends Error {
    error: number;
    seq: number;
    badParam: number;
    majorOpcode: number;
  }

  type Reply<T> = (error: XError | null, reply: T) => unknown;
  /** Called when the server has handled a request that has no answer, with its error, if any. */
  export type Done = (error: XError | null) => unknown;

  /** Outgoing requests, in the order in which they were made. */
  export interface PackStream {
    /** Adds a request; one of less than the size of a batch (16 KB) is copied. */
    put(request: Buffer): unknown;
    /** Ends a request that was put; it must have its sequence number by then. */
    submit(expectsReply: boolean): unknown;
    /** Called by `submit`, once for each request. */
    onSubmit: ((expectsReply: boolean) => void) | null;
    /** Writes all queued bytes. */
    flush(): unknown;
    /** Waits for `length` bytes from the server, and allocates room for them at once. */
    get(length: number, take: (bytes: Buffer) => void): void;
    /** Batches that wait because the socket accepts no more; other items may stand between them. */
    readonly write_queue: readonly unknown[];
    /** Bytes of the batch that is being filled. */
    readonly _used: number;
    /** Bytes of all requests so far. */
    readonly stats: { readonly bytes: number };
  }

  export interface Client extends EventEmitter {
    /** Atoms by name; shared by all connections of a process unless replaced. */
    atoms: Record<string, number>;
    display: Display;
    stream: Socket;
    readonly pack_stream: PackStream;
    /** Number of the last request; it does not wrap. */
    seq_num: number;
    /** Number of the last request that has an answer: the library inserts one before 60,000 more have passed. */
    _last_seq_anchor: number;
    /** Number of the last request without an answer whose completion is awaited; 0 if there is none so far. */
    readonly _last_void_seq: number;
    /** Ends the waiting for requests without an answer, up to a number. */
    _sweepVoid(until: number): void;
    /** Request number → the parser of the body, without its first 8 bytes, and the callback for the value. */
    replies: Record<
      number,
      [unpack: (body: Buffer, detail: number) => unknown, done: (error: XError | null, value: unknown) => unknown]
    >;
    /** Event code of an extension → its parser; the library adds `rawData`. */
    eventParsers: Record<number, (type: number, seq: number) => Pick<WireEvent, 'type' | 'wid'> & { name: string }>;
    AllocID(): number;
    ReleaseID(id: number): void;
    flush(): void;
    sync(): Promise<void>;
    close(done?: (error?: Error) => void): void;
    terminate(): void;

    CreateWindow(
      id: number,
      parent: number,
      x: number,
      y: number,
      width: number,
      height: number,
      borderWidth: number,
      depth: number,
      windowClass: number,
      visual: number,
      values: Record<string, number>,
    ): void;
    ChangeWindowAttributes(window: number, values: Record<string, number>, done?: Done): void;
    ConfigureWindow(window: number, values: Record<string, number>): void;
    DestroyWindow(window: number): void;
    MapWindow(window: number): void;
    UnmapWindow(window: number): void;
    QueryTree(window: number, reply: Reply<{ root: number; parent: number; children: number[] }>): void;
    /** `keyMask`: modifiers and buttons that are held. */
    QueryPointer(window: number, reply: Reply<{ keyMask: number; rootX: number; rootY: number }>): void;
    /** `mapState`: 0 unmapped, 1 unviewable, 2 viewable. `allEventMasks`: the union of all clients' event masks. */
    GetWindowAttributes(window: number, reply: Reply<{ mapState: number; allEventMasks: number }>): void;
    GetGeometry(
      drawable: number,
      reply: Reply<{ xPos: number; yPos: number; width: number; height: number; borderWidth: number }>,
    ): void;
    InternAtom(onlyIfExists: boolean, name: string, reply: Reply<number>): void;
    ChangeProperty(
      mode: number,
      window: number,
      property: number,
      type: number,
      format: number,
      data: Buffer | number[],
      done?: Done,
    ): void;
    DeleteProperty(window: number, property: number): void;
    GetProperty(
      remove: number,
      window: number,
      property: number,
      type: number,
      offset: number,
      length: number,
      reply: Reply<Property>,
    ): void;
    SetSelectionOwner(owner: number, selection: number, time: number): void;
    GetSelectionOwner(selection: number, reply: Reply<number>): void;
    ConvertSelection(requestor: number, selection: number, target: number, property: number, time: number): void;
    SendEvent(
      destination: number,
      propagate: number,
      mask: number,
      event: Buffer | Record<string, unknown>,
      done?: Done,
    ): void;
    CreateColormap(id: number, window: number, visual: number, allocate: number): void;
    CreatePixmap(id: number, drawable: number, depth: number, width: number, height: number): void;
    FreePixmap(pixmap: number): void;
    FreeGC(id: number): void;
    /** Colours have 16 bits for each part. */
    CreateGlyphCursor(
      id: number,
      sourceFont: number,
      maskFont: number,
      sourceGlyph: number,
      maskGlyph: number,
      foreground: Record<'R' | 'G' | 'B', number>,
      background: Record<'R' | 'G' | 'B', number>,
    ): void;
    OpenFont(id: number, name: string, done?: Done): void;
    CloseFont(id: number): void;
    ListFonts(pattern: string, most: number, reply: Reply<string[]>): void;
    GetAtomName(atom: number, reply: Reply<string>): void;
    FreeCursor(cursor: number): void;
    /** The answer is a status; 0 is success. */
    GrabPointer(
      window: number,
      ownerEvents: number,
      mask: number,
      pointerMode: number,
      keyboardMode: number,
      confineTo: number,
      cursor: number,
      time: number,
      reply: Reply<number>,
    ): void;
    UngrabPointer(time: number): void;
    /** The answer is a status; 0 is success. */
    GrabKeyboard(
      window: number,
      ownerEvents: number,
      time: number,
      pointerMode: number,
      keyboardMode: number,
      reply: Reply<number>,
    ): void;
    UngrabKeyboard(time: number): void;
    TranslateCoordinates(
      source: number,
      target: number,
      x: number,
      y: number,
      reply: Reply<{ destX: number; destY: number }>,
    ): void;
    CreateGC(id: number, drawable: number, values: Record<string, number>): void;
    ChangeGC(id: number, values: Record<string, number>): void;
    PolyFillRectangle(drawable: number, gc: number, rectangles: number[]): void;
    PolyRectangle(drawable: number, gc: number, rectangles: number[]): void;
    PolySegment(drawable: number, gc: number, segments: number[]): void;
    ClearArea(window: number, x: number, y: number, width: number, height: number, exposures: number): void;
    CopyArea(
      source: number,
      target: number,
      gc: number,
      sourceX: number,
      sourceY: number,
      targetX: number,
      targetY: number,
      width: number,
      height: number,
    ): void;
    ImageText8(drawable: number, gc: number, x: number, y: number, text: string): void;
    ImageText16(drawable: number, gc: number, x: number, y: number, text: string): void;
    PolyText8(drawable: number, gc: number, x: number, y: number, items: string[]): void;
    PolyText16(drawable: number, gc: number, x: number, y: number, items: string[]): void;
    GetImage(
      format: number,
      drawable: number,
      x: number,
      y: number,
      width: number,
      height: number,
      planeMask: number,
      reply: Reply<{ depth: number; data: Buffer }>,
    ): void;
    LookupColor(
      colormap: number,
      name: string,
      reply: Reply<{ exactRed: number; exactGreen: number; exactBlue: number }>,
    ): void;
    GetModifierMapping(reply: Reply<number[][]>): void;
    Bell(percent: number): void;
    GetInputFocus(reply: Reply<unknown>): void;
  }

  export interface ClientOptions {
    display?: string;
    /** Requests are buffered; without `flushOnReply` also those that have an answer. */
    bufferRequests?: boolean | { flushOnReply?: boolean };
    /** Saves two round trips before the client is ready. */
    disableBigRequests?: boolean;
    shm?: boolean;
    /** A cookie that replaces the authority file's. */
    auth?: { name: string; data: string };
    /** A connection to the server that replaces the display name's. */
    stream?: Socket;
  }

  export const eventMask: Record<string, number>;
  /** The library's own X server, which draws into memory. */
  export interface XServer {
    addClientStream(stream: Socket): unknown;
  }

  const x11: {
    createServer(options: { width: number; height: number }): XServer;
    createClient(options: ClientOptions, ready: (error: Error | undefined, display: Display) => void): Client;
    eventMask: Record<string, number>;
    keySyms: Record<string, { code: number; description: string | null }>;
  };
  export default x11;
}
