import Type, { type TSchema } from 'typebox';

/** The envelope of contract 7.1 around what an endpoint answers. */
export const dataAnswer = <Data extends TSchema>(data: Data) =>
  Type.Object({ success: Type.Literal(true), data });

export const messageAnswer = Type.Object({ success: Type.Literal(true), message: Type.String() });

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const PAGE_SIZE_MAX = 100;
const PAGE_SIZE = 20;

/** `pagina` and `limite`, wherever something is listed. */
export const pageFields = {
  pagina: Type.Optional(Type.Integer({ minimum: 1, description: 'página, a partir de 1' })),
  limite: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX, description: 'registros por página; padrão 20' }),
  ),
};

/** For what is read whole as a rule: a page is as large as it may be, unless asked otherwise. */
export const longPageFields = {
  ...pageFields,
  limite: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX, description: 'registros por página; padrão 100' }),
  ),
};

export const parseLongPage = ({ limite = PAGE_SIZE_MAX, ...page }: { pagina?: number; limite?: number }) =>
  parsePage({ ...page, limite });

export const parsePage = ({ pagina = 1, limite = PAGE_SIZE }: { pagina?: number; limite?: number }) => ({
  limit: limite,
  offset: (pagina - 1) * limite,
});
