/**
 * The host of an address as limits count it: without its port, and without the dot that ends a complete name. One
 * machine may still have many names; the callbacks that it gets under all of them are bounded by the limits of each
 * account.
 */
export const countedHost = (url: string): string => new URL(url).hostname.replace(/\.$/, '');
