/** The same address: a trailing slash is the same path. */
export const withoutTrailingSlash = (url: string): string => url.replace(/^([^?]*[^?/])\/(?=\?|$)/, '$1');
