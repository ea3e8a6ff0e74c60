/** Changes with what the API's answers look like: vite.config.ts. */
declare const __API__: string;
