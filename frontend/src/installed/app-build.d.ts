/** Changes with the shape of the API's answers: vite.config.ts. */
declare const __API__: string;
