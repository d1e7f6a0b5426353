import Type, { type TSchema } from 'typebox';

/** The envelope of contract 7.1 around what an endpoint answers. */
export const dataAnswer = <Data extends TSchema>(data: Data) =>
  Type.Object({ success: Type.Literal(true), data });

export const messageAnswer = Type.Object({ success: Type.Literal(true), message: Type.String() });

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
