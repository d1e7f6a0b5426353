import type { Role } from '../centrals/caller.ts';

export const TAG_ORDER: readonly string[] = [
  'Entregas',
  'Programadas',
  'Agrupamento',
  'Empresas',
  'Áreas de atuação',
  'Webhooks',
];

export const roleNames: Record<Role, string> = {
  operator: 'operador da central',
  integrator: 'integrador da central',
  manager: 'gerente da empresa',
  driver: 'condutor',
};

export const INTRODUCTION = `Interface de integração, versão 2.0.0. O caminho base é \`/api/v2/integracao\`; a operação da central e dos condutores fica em \`/api/v2/operacao\`.

**Autenticação.** Toda requisição leva dois cabeçalhos: \`api-key\`, que identifica a central (bandeira), e \`Authorization: Basic\`, com usuário e senha. O usuário da central vê a central inteira; o gerente vê apenas a própria empresa. O que um usuário não pode ver é respondido como inexistente (404).

**Respostas.** Sempre JSON, sempre com \`success\`. Uma falha traz \`errors\`, uma lista de \`{code, message}\`: \`code\` 2 para erros de validação (um por campo, na forma \`'campo': o que está errado\`) e 0 para os demais. As mensagens são em português; com \`Accept-Language: en\`, em inglês. Uma resposta traz no máximo 100 erros.

**Campos.** \`null\` em um campo opcional equivale a não o enviar. Um texto obrigatório só de espaços é recusado como vazio. Uma barra no fim do caminho não faz diferença.

**Repetição segura.** Em POST, PUT e DELETE, o cabeçalho \`Idempotency-Key\` garante que a requisição seja executada no máximo uma vez: a mesma chave com o mesmo corpo, em qualquer ordem de campos, devolve a resposta guardada; com outro corpo, 409. A chave vale para o usuário que a enviou. Se a primeira tentativa ainda estiver em andamento, a repetição espera por ela ou recebe 503 com \`Retry-After\`. Uma requisição recusada pode ser repetida com a mesma chave. Consultas por POST não usam a chave.

**Limites.** Por api-key, em janela deslizante de 60 segundos, ajustáveis por central. Toda resposta traz \`X-RateLimit-Limit\` e \`X-RateLimit-Remaining\`; acima do limite, 429 com \`Retry-After\`. O corpo pode ter até 1 MiB.

**Rastreamento.** Toda resposta traz \`X-Request-Id\`. Um \`X-Request-Id\` enviado (16 a 64 letras, dígitos, \`.\`, \`_\` ou \`-\`) é mantido.`;
