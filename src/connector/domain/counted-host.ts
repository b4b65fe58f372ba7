/**
 * The host of an address as limits count it: whatever its port, and with or without the dot that ends a complete name. One
 * machine may still have many names; for callbacks, what it gets under all of them is bounded by what each account may ask for.
 */
export const countedHost = (url: string): string => new URL(url).hostname.replace(/\.$/, '');
