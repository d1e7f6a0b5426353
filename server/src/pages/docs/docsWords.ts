import type { Language } from '../../api/http/envelope.ts';
import type { Family } from '../../api/http/errorHelp/families.ts';

interface Words {
  /** The language in HTML. */
  tag: string;
  /** Its own name. */
  name: string;
  menu: string;
  reference: string;
  errors: string;
  changes: string;
  changesTitle: string;
  changesLead: string;
  feed: string;
  errorsTitle: string;
  errorsLead: string;
  when: string;
  remedy: string;
  example: string;
  operations: string;
  /** `{count}` is filled in. */
  allOperations: string;
  someOperations: string;
  noOperations: string;
  back: string;
  unknownTitle: string;
  unknownText: string;
  families: Record<Family, string>;
}

/** The texts of the pages below /docs. */
export const docsWords: Record<Language, Words> = {
  pt: {
    tag: 'pt-BR',
    name: 'Português',
    menu: 'Documentação',
    reference: 'Referência',
    errors: 'Erros',
    changes: 'Mudanças',
    changesTitle: 'Mudanças da interface',
    changesLead:
      'O que mudou para quem integra, da mais nova para a mais antiga. Uma operação obsoleta é anunciada aqui.',
    feed: 'Acompanhe pelo feed Atom.',
    errorsTitle: 'Erros da interface',
    errorsLead:
      'Toda falha traz no cabeçalho X-Error-Kind um nome estável, para programas. Cada nome tem uma página, com o que significa e o que fazer.',
    when: 'Quando acontece',
    remedy: 'O que fazer',
    example: 'Exemplo',
    operations: 'Operações que respondem assim',
    allOperations: 'Todas as operações ({count})',
    someOperations: '{count} operações',
    noOperations: 'Nenhuma operação em particular: vem antes delas, ou de uma página do serviço.',
    back: 'Todos os erros',
    unknownTitle: 'Este erro não existe',
    unknownText: 'Nenhuma falha deste serviço tem este nome. Confira-o na lista.',
    families: {
      authentication: 'Quem chama',
      permission: 'Permissão',
      'not-found': 'Não encontrado',
      state: 'A situação não permite',
      'invalid-input': 'Dados inválidos ou que discordam',
      limit: 'Limites',
      unavailable: 'Indisponível no momento',
    },
  },
  en: {
    tag: 'en',
    name: 'English',
    menu: 'Documentation',
    reference: 'Reference',
    errors: 'Errors',
    changes: 'Changes',
    changesTitle: 'Changes of the interface',
    changesLead:
      'What has changed for integrators, the newest first. A deprecated operation is announced here.',
    feed: 'Follow them by the Atom feed.',
    errorsTitle: 'Errors of the interface',
    errorsLead:
      'Every failure has a stable name for programs in the header X-Error-Kind. Each name has a page that says what it means and what to do.',
    when: 'When it happens',
    remedy: 'What to do',
    example: 'Example',
    operations: 'Operations that answer with it',
    allOperations: 'All operations ({count})',
    someOperations: '{count} operations',
    noOperations: 'No operation in particular: it comes before them, or from a page of the service.',
    back: 'All errors',
    unknownTitle: 'There is no such error',
    unknownText: 'No failure of this service has this name. Look for it in the list.',
    families: {
      authentication: 'Who is calling',
      permission: 'Permission',
      'not-found': 'Not found',
      state: 'The state does not allow it',
      'invalid-input': 'Invalid or contradictory data',
      limit: 'Limits',
      unavailable: 'Not available now',
    },
  },
};

export const fillCount = (text: string, count: number): string => text.replace('{count}', String(count));
