// Written by scripts/generateClient.ts from the OpenAPI document. Do not edit.

import type * as Answers from './answers.ts';
import type { CallOptions, Id, Request } from './request.ts';
import type * as Requests from './requests.ts';

/** One method for each operation of the integration interface; `send` carries the request. */

export abstract class Operations {
  protected abstract send<Answer>(request: Request, options?: CallOptions): Promise<Answer>;

  /** Estimar uma entrega para uma empresa (contrato 4.1). */
  async estimarEntrega(
    id: Id,
    corpo: Requests.EstimarEntregaCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.EstimarEntregaResposta> {
    return this.send(
      {
        operationId: 'estimarEntrega',
        method: 'POST',
        path: `/entregas/empresas/${encodeURIComponent(id)}/estimativas`,
        body: corpo,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Agrupar programadas em uma programada (contrato 4.2). */
  async agruparProgramadas(
    id: Id,
    corpo: Requests.AgruparProgramadasCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.AgruparProgramadasResposta> {
    return this.send(
      {
        operationId: 'agruparProgramadas',
        method: 'POST',
        path: `/entregas/programadas/${encodeURIComponent(id)}/agrupar`,
        body: corpo,
        isWhole: true,
      },
      opcoes,
    );
  }

  /** Editar uma entrega programada (substituição total) (contrato 4.3). */
  async editarProgramada(
    id: Id,
    corpo: Requests.EditarProgramadaCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.EditarProgramadaResposta> {
    return this.send(
      {
        operationId: 'editarProgramada',
        method: 'PUT',
        path: `/entregas/programadas/${encodeURIComponent(id)}`,
        body: corpo,
        isWhole: true,
      },
      opcoes,
    );
  }

  /** Ler uma entrega programada. */
  async obterProgramada(id: Id, opcoes?: CallOptions): Promise<Answers.ObterProgramadaResposta> {
    return this.send(
      {
        operationId: 'obterProgramada',
        method: 'GET',
        path: `/entregas/programadas/${encodeURIComponent(id)}`,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Consultar entregas (contrato 4.4). */
  async consultarEntregas(
    corpo: Requests.ConsultarEntregasCorpo = {},
    opcoes?: CallOptions,
  ): Promise<Answers.ConsultarEntregasResposta> {
    return this.send(
      {
        operationId: 'consultarEntregas',
        method: 'POST',
        path: `/entregas/consultar`,
        body: corpo,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Recarregar créditos de uma empresa (contrato 4.5). */
  async recarregarCreditos(
    corpo: Requests.RecarregarCreditosCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.RecarregarCreditosResposta> {
    return this.send(
      {
        operationId: 'recarregarCreditos',
        method: 'POST',
        path: `/entregas/empresas/creditos/recargas`,
        body: corpo,
      },
      opcoes,
    );
  }

  /** Agrupar programadas em uma entrega em andamento (contrato 4.6). */
  async agruparProgramadasEmEntrega(
    id: Id,
    corpo: Requests.AgruparProgramadasEmEntregaCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.AgruparProgramadasEmEntregaResposta> {
    return this.send(
      {
        operationId: 'agruparProgramadasEmEntrega',
        method: 'POST',
        path: `/entregas/${encodeURIComponent(id)}/agrupar/programadas`,
        body: corpo,
        isWhole: true,
      },
      opcoes,
    );
  }

  /** Agrupar entregas em andamento (contrato 4.7). */
  async agruparEntregas(
    id: Id,
    corpo: Requests.AgruparEntregasCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.AgruparEntregasResposta> {
    return this.send(
      {
        operationId: 'agruparEntregas',
        method: 'POST',
        path: `/entregas/${encodeURIComponent(id)}/agrupar`,
        body: corpo,
        isWhole: true,
      },
      opcoes,
    );
  }

  /** Cancelar uma entrega (contrato 4.8). */
  async cancelarEntrega(
    id: Id,
    corpo: Requests.CancelarEntregaCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.CancelarEntregaResposta> {
    return this.send(
      {
        operationId: 'cancelarEntrega',
        method: 'POST',
        path: `/entregas/${encodeURIComponent(id)}/cancelar`,
        body: corpo,
        isWhole: true,
      },
      opcoes,
    );
  }

  /** Listar entregas programadas (contrato 4.9). */
  async listarProgramadas(
    consulta: Requests.ListarProgramadasConsulta = {},
    opcoes?: CallOptions,
  ): Promise<Answers.ListarProgramadasResposta> {
    return this.send(
      {
        operationId: 'listarProgramadas',
        method: 'GET',
        path: `/entregas/programadas`,
        query: consulta,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Programar uma entrega. */
  async criarProgramada(
    corpo: Requests.CriarProgramadaCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.CriarProgramadaResposta> {
    return this.send(
      { operationId: 'criarProgramada', method: 'POST', path: `/entregas/programadas`, body: corpo },
      opcoes,
    );
  }

  /** Obter o recibo (contrato 4.10). */
  async obterRecibo(id: Id, opcoes?: CallOptions): Promise<Answers.ObterReciboResposta> {
    return this.send(
      {
        operationId: 'obterRecibo',
        method: 'GET',
        path: `/entregas/${encodeURIComponent(id)}/recibo`,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Obter os links de rastreio (contrato 4.11). */
  async obterLinksRastreio(id: Id, opcoes?: CallOptions): Promise<Answers.ObterLinksRastreioResposta> {
    return this.send(
      {
        operationId: 'obterLinksRastreio',
        method: 'GET',
        path: `/entregas/${encodeURIComponent(id)}/links-rastreio`,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Excluir uma parada de uma entrega programada (contrato 4.12). */
  async removerParadaProgramada(
    id: Id,
    paradaId: Id,
    opcoes?: CallOptions,
  ): Promise<Answers.RemoverParadaProgramadaResposta> {
    return this.send(
      {
        operationId: 'removerParadaProgramada',
        method: 'DELETE',
        path: `/entregas/programadas/${encodeURIComponent(id)}/paradas/${encodeURIComponent(paradaId)}`,
        isWhole: true,
      },
      opcoes,
    );
  }

  /** Listar as áreas de atuação da central (contrato 4.13). */
  async listarAreasAtuacao(opcoes?: CallOptions): Promise<Answers.ListarAreasAtuacaoResposta> {
    return this.send(
      {
        operationId: 'listarAreasAtuacao',
        method: 'GET',
        path: `/entregas/bandeiras/areas-atuacao`,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Consultar o saldo de créditos de uma empresa (contrato 4.14). */
  async obterSaldo(
    consulta: Requests.ObterSaldoConsulta,
    opcoes?: CallOptions,
  ): Promise<Answers.ObterSaldoResposta> {
    return this.send(
      {
        operationId: 'obterSaldo',
        method: 'GET',
        path: `/entregas/empresas/creditos/saldo`,
        query: consulta,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Cancelar uma entrega programada (contrato 4.15). */
  async cancelarProgramada(id: Id, opcoes?: CallOptions): Promise<Answers.CancelarProgramadaResposta> {
    return this.send(
      {
        operationId: 'cancelarProgramada',
        method: 'POST',
        path: `/entregas/programadas/${encodeURIComponent(id)}/cancelar`,
      },
      opcoes,
    );
  }

  /** Consultar o status (contrato 4.16). */
  async obterStatus(id: Id, opcoes?: CallOptions): Promise<Answers.ObterStatusResposta> {
    return this.send(
      {
        operationId: 'obterStatus',
        method: 'GET',
        path: `/entregas/${encodeURIComponent(id)}/status`,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Abrir uma entrega imediata. */
  async criarEntrega(
    corpo: Requests.CriarEntregaCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.CriarEntregaResposta> {
    return this.send({ operationId: 'criarEntrega', method: 'POST', path: `/entregas`, body: corpo }, opcoes);
  }

  /** Abrir até 500 entregas imediatas. */
  async criarEntregasEmLote(
    corpo: Requests.CriarEntregasEmLoteCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.CriarEntregasEmLoteResposta> {
    return this.send(
      {
        operationId: 'criarEntregasEmLote',
        method: 'POST',
        path: `/entregas/lote`,
        body: corpo,
        isWhole: true,
      },
      opcoes,
    );
  }

  /** Programar até 500 entregas. */
  async criarProgramadasEmLote(
    corpo: Requests.CriarProgramadasEmLoteCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.CriarProgramadasEmLoteResposta> {
    return this.send(
      {
        operationId: 'criarProgramadasEmLote',
        method: 'POST',
        path: `/entregas/programadas/lote`,
        body: corpo,
        isWhole: true,
      },
      opcoes,
    );
  }

  /** Consultar o status de até 500 entregas. */
  async obterStatusEmLote(
    corpo: Requests.ObterStatusEmLoteCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.ObterStatusEmLoteResposta> {
    return this.send(
      {
        operationId: 'obterStatusEmLote',
        method: 'POST',
        path: `/entregas/status`,
        body: corpo,
        isWhole: true,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Cancelar até 500 entregas. */
  async cancelarEntregasEmLote(
    corpo: Requests.CancelarEntregasEmLoteCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.CancelarEntregasEmLoteResposta> {
    return this.send(
      {
        operationId: 'cancelarEntregasEmLote',
        method: 'POST',
        path: `/entregas/cancelar`,
        body: corpo,
        isWhole: true,
      },
      opcoes,
    );
  }

  /** Cancelar até 500 entregas programadas. */
  async cancelarProgramadasEmLote(
    corpo: Requests.CancelarProgramadasEmLoteCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.CancelarProgramadasEmLoteResposta> {
    return this.send(
      {
        operationId: 'cancelarProgramadasEmLote',
        method: 'POST',
        path: `/entregas/programadas/cancelar`,
        body: corpo,
        isWhole: true,
      },
      opcoes,
    );
  }

  /** Cotar um pedido por um preço que vale por alguns minutos. */
  async criarCotacao(
    corpo: Requests.CriarCotacaoCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.CriarCotacaoResposta> {
    return this.send(
      { operationId: 'criarCotacao', method: 'POST', path: `/entregas/cotacoes`, body: corpo },
      opcoes,
    );
  }

  /** Estimar uma entrega sem informar a empresa. */
  async estimarEntregaSemEmpresa(
    corpo: Requests.EstimarEntregaSemEmpresaCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.EstimarEntregaSemEmpresaResposta> {
    return this.send(
      {
        operationId: 'estimarEntregaSemEmpresa',
        method: 'POST',
        path: `/entregas/estimativas`,
        body: corpo,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Ler uma entrega. */
  async obterEntrega(id: Id, opcoes?: CallOptions): Promise<Answers.ObterEntregaResposta> {
    return this.send(
      {
        operationId: 'obterEntrega',
        method: 'GET',
        path: `/entregas/${encodeURIComponent(id)}`,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Editar uma entrega (substituição total). */
  async editarEntrega(
    id: Id,
    corpo: Requests.EditarEntregaCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.EditarEntregaResposta> {
    return this.send(
      {
        operationId: 'editarEntrega',
        method: 'PUT',
        path: `/entregas/${encodeURIComponent(id)}`,
        body: corpo,
        isWhole: true,
      },
      opcoes,
    );
  }

  /** Ler os detalhes de uma entrega. */
  async obterDetalhesEntrega(id: Id, opcoes?: CallOptions): Promise<Answers.ObterDetalhesEntregaResposta> {
    return this.send(
      {
        operationId: 'obterDetalhesEntrega',
        method: 'GET',
        path: `/entregas/${encodeURIComponent(id)}/detalhes`,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Excluir uma parada de uma entrega. */
  async removerParadaEntrega(
    id: Id,
    paradaId: Id,
    opcoes?: CallOptions,
  ): Promise<Answers.RemoverParadaEntregaResposta> {
    return this.send(
      {
        operationId: 'removerParadaEntrega',
        method: 'DELETE',
        path: `/entregas/${encodeURIComponent(id)}/paradas/${encodeURIComponent(paradaId)}`,
        isWhole: true,
      },
      opcoes,
    );
  }

  /** Consultar a posição do condutor. */
  async obterPosicaoCondutor(id: Id, opcoes?: CallOptions): Promise<Answers.ObterPosicaoCondutorResposta> {
    return this.send(
      {
        operationId: 'obterPosicaoCondutor',
        method: 'GET',
        path: `/entregas/${encodeURIComponent(id)}/condutor/posicao`,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Ler uma entrega pela sua chave. */
  async obterEntregaPorIdExterno(
    idExterno: string,
    consulta: Requests.ObterEntregaPorIdExternoConsulta = {},
    opcoes?: CallOptions,
  ): Promise<Answers.ObterEntregaPorIdExternoResposta> {
    return this.send(
      {
        operationId: 'obterEntregaPorIdExterno',
        method: 'GET',
        path: `/entregas/externo/${encodeURIComponent(idExterno)}`,
        query: consulta,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Ler uma entrega programada pela sua chave. */
  async obterProgramadaPorIdExterno(
    idExterno: string,
    consulta: Requests.ObterProgramadaPorIdExternoConsulta = {},
    opcoes?: CallOptions,
  ): Promise<Answers.ObterProgramadaPorIdExternoResposta> {
    return this.send(
      {
        operationId: 'obterProgramadaPorIdExterno',
        method: 'GET',
        path: `/entregas/programadas/externo/${encodeURIComponent(idExterno)}`,
        query: consulta,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Sacar créditos de uma empresa. */
  async sacarCreditos(
    corpo: Requests.SacarCreditosCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.SacarCreditosResposta> {
    return this.send(
      {
        operationId: 'sacarCreditos',
        method: 'POST',
        path: `/entregas/empresas/creditos/saques`,
        body: corpo,
      },
      opcoes,
    );
  }

  /** Listar webhooks. */
  async listarWebhooks(
    consulta: Requests.ListarWebhooksConsulta = {},
    opcoes?: CallOptions,
  ): Promise<Answers.ListarWebhooksResposta> {
    return this.send(
      { operationId: 'listarWebhooks', method: 'GET', path: `/webhooks`, query: consulta, isRead: true },
      opcoes,
    );
  }

  /** Cadastrar um webhook. */
  async criarWebhook(
    corpo: Requests.CriarWebhookCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.CriarWebhookResposta> {
    return this.send({ operationId: 'criarWebhook', method: 'POST', path: `/webhooks`, body: corpo }, opcoes);
  }

  /** Ler um webhook e seu estado. */
  async obterWebhook(id: Id, opcoes?: CallOptions): Promise<Answers.ObterWebhookResposta> {
    return this.send(
      {
        operationId: 'obterWebhook',
        method: 'GET',
        path: `/webhooks/${encodeURIComponent(id)}`,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Alterar, desativar ou reativar um webhook. */
  async alterarWebhook(
    id: Id,
    corpo: Requests.AlterarWebhookCorpo = {},
    opcoes?: CallOptions,
  ): Promise<Answers.AlterarWebhookResposta> {
    return this.send(
      {
        operationId: 'alterarWebhook',
        method: 'PUT',
        path: `/webhooks/${encodeURIComponent(id)}`,
        body: corpo,
      },
      opcoes,
    );
  }

  /** Excluir um webhook. */
  async excluirWebhook(id: Id, opcoes?: CallOptions): Promise<Answers.ExcluirWebhookResposta> {
    return this.send(
      {
        operationId: 'excluirWebhook',
        method: 'DELETE',
        path: `/webhooks/${encodeURIComponent(id)}`,
        isWhole: true,
      },
      opcoes,
    );
  }

  /** Ler o estado de um webhook. */
  async obterStatusWebhook(id: Id, opcoes?: CallOptions): Promise<Answers.ObterStatusWebhookResposta> {
    return this.send(
      {
        operationId: 'obterStatusWebhook',
        method: 'GET',
        path: `/webhooks/${encodeURIComponent(id)}/status`,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Trocar o segredo de um webhook. */
  async trocarSegredoWebhook(id: Id, opcoes?: CallOptions): Promise<Answers.TrocarSegredoWebhookResposta> {
    return this.send(
      {
        operationId: 'trocarSegredoWebhook',
        method: 'POST',
        path: `/webhooks/${encodeURIComponent(id)}/segredo`,
      },
      opcoes,
    );
  }

  /** Enviar um evento de teste. */
  async testarWebhook(
    id: Id,
    corpo: Requests.TestarWebhookCorpo = {},
    opcoes?: CallOptions,
  ): Promise<Answers.TestarWebhookResposta> {
    return this.send(
      {
        operationId: 'testarWebhook',
        method: 'POST',
        path: `/webhooks/${encodeURIComponent(id)}/teste`,
        body: corpo,
      },
      opcoes,
    );
  }

  /** Listar os envios de um webhook. */
  async listarEnvios(
    id: Id,
    consulta: Requests.ListarEnviosConsulta = {},
    opcoes?: CallOptions,
  ): Promise<Answers.ListarEnviosResposta> {
    return this.send(
      {
        operationId: 'listarEnvios',
        method: 'GET',
        path: `/webhooks/${encodeURIComponent(id)}/envios`,
        query: consulta,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Reenviar um evento. */
  async reenviarEnvio(id: Id, opcoes?: CallOptions): Promise<Answers.ReenviarEnvioResposta> {
    return this.send(
      {
        operationId: 'reenviarEnvio',
        method: 'POST',
        path: `/webhooks/envios/${encodeURIComponent(id)}/reenviar`,
      },
      opcoes,
    );
  }

  /** Reenviar os eventos de um período. */
  async reenviarEnvios(
    id: Id,
    corpo: Requests.ReenviarEnviosCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.ReenviarEnviosResposta> {
    return this.send(
      {
        operationId: 'reenviarEnvios',
        method: 'POST',
        path: `/webhooks/${encodeURIComponent(id)}/reenviar`,
        body: corpo,
      },
      opcoes,
    );
  }

  /** Ler o relógio do ambiente de teste. */
  async obterAmbienteDeTeste(opcoes?: CallOptions): Promise<Answers.ObterAmbienteDeTesteResposta> {
    return this.send(
      { operationId: 'obterAmbienteDeTeste', method: 'GET', path: `/sandbox`, isRead: true },
      opcoes,
    );
  }

  /** Apagar tudo do ambiente de teste. */
  async apagarAmbienteDeTeste(opcoes?: CallOptions): Promise<Answers.ApagarAmbienteDeTesteResposta> {
    return this.send(
      {
        operationId: 'apagarAmbienteDeTeste',
        method: 'DELETE',
        path: `/sandbox`,
        isWhole: true,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Adiantar o relógio do ambiente de teste. */
  async adiantarRelogio(
    corpo: Requests.AdiantarRelogioCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.AdiantarRelogioResposta> {
    return this.send(
      { operationId: 'adiantarRelogio', method: 'POST', path: `/sandbox/relogio`, body: corpo },
      opcoes,
    );
  }

  /** Enviar um evento de teste às suas conexões. */
  async testarEventos(
    corpo: Requests.TestarEventosCorpo = {},
    opcoes?: CallOptions,
  ): Promise<Answers.TestarEventosResposta> {
    return this.send(
      { operationId: 'testarEventos', method: 'POST', path: `/eventos/teste`, body: corpo },
      opcoes,
    );
  }

  /** Ver as próprias requisições. */
  async listarRequisicoes(
    consulta: Requests.ListarRequisicoesConsulta = {},
    opcoes?: CallOptions,
  ): Promise<Answers.ListarRequisicoesResposta> {
    return this.send(
      {
        operationId: 'listarRequisicoes',
        method: 'GET',
        path: `/requisicoes`,
        query: consulta,
        isRead: true,
      },
      opcoes,
    );
  }

  /** Ver uma requisição. */
  async obterRequisicao(id: Id, opcoes?: CallOptions): Promise<Answers.ObterRequisicaoResposta> {
    return this.send(
      {
        operationId: 'obterRequisicao',
        method: 'GET',
        path: `/requisicoes/${encodeURIComponent(id)}`,
        isRead: true,
      },
      opcoes,
    );
  }
}
