import type { paths } from '../openapi';

/*
 * The endpoints of the server and their answers, derived from its OpenAPI description. A call
 * names only an endpoint: a wrong path, a wrong field or a wrong use of the answer does not
 * compile.
 */

export type Method = 'GET' | 'POST';

type Operation<M extends Method, P extends string> = `/api${P}` extends infer Address extends
  keyof paths
  ? paths[Address] extends Record<Lowercase<M>, infer Found>
    ? Found
    : never
  : never;

/** The content of an endpoint's answer, by media type. */
type Content<M extends Method, P extends string> =
  Operation<M, P> extends { responses: { 200: { content: infer Found } } } ? Found : never;

/** The data in the envelope of a successful answer. */
type Data<Answered> = Answered extends { code: 200; data: infer Found } ? Found : never;
type Enveloped<M extends Method, P extends string> =
  Content<M, P> extends { 'application/json': infer Answered } ? Data<Answered> : never;

type Addresses<M extends Method> = {
  [A in keyof paths]: paths[A] extends Record<Lowercase<M>, object> ? A : never;
}[keyof paths];
type Paths<M extends Method> =
  Addresses<M> extends infer A ? (A extends `/api${infer P}` ? P : never) : never;
type WithEnvelope<M extends Method, P extends string> = P extends string
  ? [Enveloped<M, P>] extends [never]
    ? never
    : P
  : never;

/** The endpoints that answer with an envelope; the others answer with files and pictures. */
export type Path<M extends Method> = WithEnvelope<M, Paths<M>>;
export type FilePath = Exclude<Paths<'GET'>, WithoutFile<Paths<'GET'>> | PicturePath>;
/**
 * The endpoints that answer only with an envelope. Those that answer with either return a file if
 * the query asks for one.
 */
type WithoutFile<P extends string> =
  P extends Path<'GET'> ? (keyof Content<'GET', P> extends 'application/json' ? P : never) : never;
export type PicturePath = Extract<Paths<'GET'>, `${string}/{id}`>;

export type Answer<M extends Method, P extends Path<M>> = Enveloped<M, P>;

/** The parameters in the query, or in the `{…}` of the path. */
type Parameters<Place extends string, M extends Method, P extends string> =
  Operation<M, P> extends { parameters: { [K in Place]?: infer Found } }
    ? NonNullable<Found>
    : never;
export type Query<M extends Method, P extends string> = Parameters<'query', M, P>;
export type InPath<P extends PicturePath> = Parameters<'path', 'GET', P>;

/** A form for what takes files, and JSON for the rest. */
export type Body<P extends Path<'POST'>> =
  Operation<'POST', P> extends { requestBody: { content: infer Taken } }
    ? Taken extends { 'application/json': infer Json }
      ? Json
      : Taken extends { 'multipart/form-data': unknown }
        ? FormData
        : never
    : never;

/** The endpoints that take a file. */
export type UploadPath = {
  [P in Path<'POST'>]: FormData extends Body<P> ? P : never;
}[Path<'POST'>];

/** An option that is required if it cannot do without some field of it. */
type Option<Name extends string, T> = [T] extends [never]
  ? { [K in Name]?: never }
  : Partial<T> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };
type Taken<M extends Method, P extends string> = Option<'query', Query<M, P>> &
  (M extends 'POST' ? Option<'body', Body<P & Path<'POST'>>> : { body?: never });

/**
 * Distributes over the paths, so that the compiler reports a wrong path as wrong instead of
 * reporting what it lacks.
 */
type NeedsNone<M extends Method, P extends string> = P extends unknown
  ? Partial<Taken<M, P>> extends Taken<M, P>
    ? true
    : never
  : never;

/**
 * The query and body of a call, with the caller's own options. They may be left out if the endpoint
 * requires none.
 */
export type WithOptions<M extends Method, P extends string, Own> =
  true extends NeedsNone<M, P> ? [options?: Own & Taken<M, P>] : [options: Own & Taken<M, P>];
