import Type from 'typebox';

const PAGE_SIZE_MAX = 100;
const PAGE_SIZE = 20;

/** `pagina` and `limite`, wherever something is listed. */
export const pageFields = {
  pagina: Type.Optional(Type.Integer({ minimum: 1, description: 'página, a partir de 1' })),
  limite: Type.Optional(
    Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX, description: 'registros por página; padrão 20' }),
  ),
};

export const parsePage = ({ pagina = 1, limite = PAGE_SIZE }: { pagina?: number; limite?: number }) => ({
  limit: limite,
  offset: (pagina - 1) * limite,
});
