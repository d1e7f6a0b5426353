// Written by scripts/generateClient.ts from the OpenAPI document. Do not edit.

import type * as Answers from './answers.ts';
import type { CallOptions, Id, Request } from './request.ts';
import type * as Requests from './requests.ts';

/** One method for each operation of the integration interface; `send` carries the request. */

export abstract class Operations {
  protected abstract send(request: Request, options?: CallOptions): Promise<unknown>;

  /** Estimar uma entrega para uma empresa (contrato 4.1). */
  async estimarEntrega(
    id: Id,
    corpo: Requests.EstimarEntregaCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.EstimarEntregaResposta> {
    return (await this.send(
      {
        method: 'POST',
        path: `/entregas/empresas/${encodeURIComponent(id)}/estimativas`,
        body: corpo,
        isData: true,
        isRead: true,
      },
      opcoes,
    )) as Answers.EstimarEntregaResposta;
  }

  /** Agrupar programadas em uma programada (contrato 4.2). */
  async agruparProgramadas(
    id: Id,
    corpo: Requests.AgruparProgramadasCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.AgruparProgramadasResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas/programadas/${encodeURIComponent(id)}/agrupar`, body: corpo },
      opcoes,
    )) as Answers.AgruparProgramadasResposta;
  }

  /** Editar uma entrega programada (substituição total) (contrato 4.3). */
  async editarProgramada(
    id: Id,
    corpo: Requests.EditarProgramadaCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.EditarProgramadaResposta> {
    return (await this.send(
      { method: 'PUT', path: `/entregas/programadas/${encodeURIComponent(id)}`, body: corpo },
      opcoes,
    )) as Answers.EditarProgramadaResposta;
  }

  /** Ler uma entrega programada. */
  async obterProgramada(id: Id, opcoes?: CallOptions): Promise<Answers.ObterProgramadaResposta> {
    return (await this.send(
      { method: 'GET', path: `/entregas/programadas/${encodeURIComponent(id)}`, isData: true, isRead: true },
      opcoes,
    )) as Answers.ObterProgramadaResposta;
  }

  /** Consultar entregas (contrato 4.4). */
  async consultarEntregas(
    corpo: Requests.ConsultarEntregasCorpo = {},
    opcoes?: CallOptions,
  ): Promise<Answers.ConsultarEntregasResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas/consultar`, body: corpo, isData: true, isRead: true },
      opcoes,
    )) as Answers.ConsultarEntregasResposta;
  }

  /** Recarregar créditos de uma empresa (contrato 4.5). */
  async recarregarCreditos(
    corpo: Requests.RecarregarCreditosCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.RecarregarCreditosResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas/empresas/creditos/recargas`, body: corpo, isData: true },
      opcoes,
    )) as Answers.RecarregarCreditosResposta;
  }

  /** Agrupar programadas em uma entrega em andamento (contrato 4.6). */
  async agruparProgramadasEmEntrega(
    id: Id,
    corpo: Requests.AgruparProgramadasEmEntregaCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.AgruparProgramadasEmEntregaResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas/${encodeURIComponent(id)}/agrupar/programadas`, body: corpo },
      opcoes,
    )) as Answers.AgruparProgramadasEmEntregaResposta;
  }

  /** Agrupar entregas em andamento (contrato 4.7). */
  async agruparEntregas(
    id: Id,
    corpo: Requests.AgruparEntregasCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.AgruparEntregasResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas/${encodeURIComponent(id)}/agrupar`, body: corpo },
      opcoes,
    )) as Answers.AgruparEntregasResposta;
  }

  /** Cancelar uma entrega (contrato 4.8). */
  async cancelarEntrega(
    id: Id,
    corpo: Requests.CancelarEntregaCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.CancelarEntregaResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas/${encodeURIComponent(id)}/cancelar`, body: corpo },
      opcoes,
    )) as Answers.CancelarEntregaResposta;
  }

  /** Listar entregas programadas (contrato 4.9). */
  async listarProgramadas(
    consulta: Requests.ListarProgramadasConsulta = {},
    opcoes?: CallOptions,
  ): Promise<Answers.ListarProgramadasResposta> {
    return (await this.send(
      { method: 'GET', path: `/entregas/programadas`, query: consulta, isData: true, isRead: true },
      opcoes,
    )) as Answers.ListarProgramadasResposta;
  }

  /** Programar uma entrega. */
  async criarProgramada(
    corpo: Requests.CriarProgramadaCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.CriarProgramadaResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas/programadas`, body: corpo, isData: true },
      opcoes,
    )) as Answers.CriarProgramadaResposta;
  }

  /** Obter o recibo (contrato 4.10). */
  async obterRecibo(id: Id, opcoes?: CallOptions): Promise<Answers.ObterReciboResposta> {
    return (await this.send(
      { method: 'GET', path: `/entregas/${encodeURIComponent(id)}/recibo`, isData: true, isRead: true },
      opcoes,
    )) as Answers.ObterReciboResposta;
  }

  /** Obter os links de rastreio (contrato 4.11). */
  async obterLinksRastreio(id: Id, opcoes?: CallOptions): Promise<Answers.ObterLinksRastreioResposta> {
    return (await this.send(
      {
        method: 'GET',
        path: `/entregas/${encodeURIComponent(id)}/links-rastreio`,
        isData: true,
        isRead: true,
      },
      opcoes,
    )) as Answers.ObterLinksRastreioResposta;
  }

  /** Excluir uma parada de uma entrega programada (contrato 4.12). */
  async removerParadaProgramada(
    id: Id,
    paradaId: Id,
    opcoes?: CallOptions,
  ): Promise<Answers.RemoverParadaProgramadaResposta> {
    return (await this.send(
      {
        method: 'DELETE',
        path: `/entregas/programadas/${encodeURIComponent(id)}/paradas/${encodeURIComponent(paradaId)}`,
      },
      opcoes,
    )) as Answers.RemoverParadaProgramadaResposta;
  }

  /** Listar as áreas de atuação da central (contrato 4.13). */
  async listarAreasAtuacao(opcoes?: CallOptions): Promise<Answers.ListarAreasAtuacaoResposta> {
    return (await this.send(
      { method: 'GET', path: `/entregas/bandeiras/areas-atuacao`, isData: true, isRead: true },
      opcoes,
    )) as Answers.ListarAreasAtuacaoResposta;
  }

  /** Consultar o saldo de créditos de uma empresa (contrato 4.14). */
  async obterSaldo(
    consulta: Requests.ObterSaldoConsulta,
    opcoes?: CallOptions,
  ): Promise<Answers.ObterSaldoResposta> {
    return (await this.send(
      {
        method: 'GET',
        path: `/entregas/empresas/creditos/saldo`,
        query: consulta,
        isData: true,
        isRead: true,
      },
      opcoes,
    )) as Answers.ObterSaldoResposta;
  }

  /** Cancelar uma entrega programada (contrato 4.15). */
  async cancelarProgramada(id: Id, opcoes?: CallOptions): Promise<Answers.CancelarProgramadaResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas/programadas/${encodeURIComponent(id)}/cancelar`, isData: true },
      opcoes,
    )) as Answers.CancelarProgramadaResposta;
  }

  /** Consultar o status (contrato 4.16). */
  async obterStatus(id: Id, opcoes?: CallOptions): Promise<Answers.ObterStatusResposta> {
    return (await this.send(
      { method: 'GET', path: `/entregas/${encodeURIComponent(id)}/status`, isData: true, isRead: true },
      opcoes,
    )) as Answers.ObterStatusResposta;
  }

  /** Abrir uma entrega imediata. */
  async criarEntrega(
    corpo: Requests.CriarEntregaCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.CriarEntregaResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas`, body: corpo, isData: true },
      opcoes,
    )) as Answers.CriarEntregaResposta;
  }

  /** Estimar uma entrega sem informar a empresa. */
  async estimarEntregaSemEmpresa(
    corpo: Requests.EstimarEntregaSemEmpresaCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.EstimarEntregaSemEmpresaResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas/estimativas`, body: corpo, isData: true, isRead: true },
      opcoes,
    )) as Answers.EstimarEntregaSemEmpresaResposta;
  }

  /** Ler uma entrega. */
  async obterEntrega(id: Id, opcoes?: CallOptions): Promise<Answers.ObterEntregaResposta> {
    return (await this.send(
      { method: 'GET', path: `/entregas/${encodeURIComponent(id)}`, isData: true, isRead: true },
      opcoes,
    )) as Answers.ObterEntregaResposta;
  }

  /** Editar uma entrega (substituição total). */
  async editarEntrega(
    id: Id,
    corpo: Requests.EditarEntregaCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.EditarEntregaResposta> {
    return (await this.send(
      { method: 'PUT', path: `/entregas/${encodeURIComponent(id)}`, body: corpo },
      opcoes,
    )) as Answers.EditarEntregaResposta;
  }

  /** Ler os detalhes de uma entrega. */
  async obterDetalhesEntrega(id: Id, opcoes?: CallOptions): Promise<Answers.ObterDetalhesEntregaResposta> {
    return (await this.send(
      { method: 'GET', path: `/entregas/${encodeURIComponent(id)}/detalhes`, isData: true, isRead: true },
      opcoes,
    )) as Answers.ObterDetalhesEntregaResposta;
  }

  /** Excluir uma parada de uma entrega. */
  async removerParadaEntrega(
    id: Id,
    paradaId: Id,
    opcoes?: CallOptions,
  ): Promise<Answers.RemoverParadaEntregaResposta> {
    return (await this.send(
      {
        method: 'DELETE',
        path: `/entregas/${encodeURIComponent(id)}/paradas/${encodeURIComponent(paradaId)}`,
      },
      opcoes,
    )) as Answers.RemoverParadaEntregaResposta;
  }

  /** Consultar a posição do condutor. */
  async obterPosicaoCondutor(id: Id, opcoes?: CallOptions): Promise<Answers.ObterPosicaoCondutorResposta> {
    return (await this.send(
      {
        method: 'GET',
        path: `/entregas/${encodeURIComponent(id)}/condutor/posicao`,
        isData: true,
        isRead: true,
      },
      opcoes,
    )) as Answers.ObterPosicaoCondutorResposta;
  }

  /** Sacar créditos de uma empresa. */
  async sacarCreditos(
    corpo: Requests.SacarCreditosCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.SacarCreditosResposta> {
    return (await this.send(
      { method: 'POST', path: `/entregas/empresas/creditos/saques`, body: corpo, isData: true },
      opcoes,
    )) as Answers.SacarCreditosResposta;
  }

  /** Listar webhooks. */
  async listarWebhooks(
    consulta: Requests.ListarWebhooksConsulta = {},
    opcoes?: CallOptions,
  ): Promise<Answers.ListarWebhooksResposta> {
    return (await this.send(
      { method: 'GET', path: `/webhooks`, query: consulta, isData: true, isRead: true },
      opcoes,
    )) as Answers.ListarWebhooksResposta;
  }

  /** Cadastrar um webhook. */
  async criarWebhook(
    corpo: Requests.CriarWebhookCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.CriarWebhookResposta> {
    return (await this.send(
      { method: 'POST', path: `/webhooks`, body: corpo, isData: true },
      opcoes,
    )) as Answers.CriarWebhookResposta;
  }

  /** Ler um webhook e seu estado. */
  async obterWebhook(id: Id, opcoes?: CallOptions): Promise<Answers.ObterWebhookResposta> {
    return (await this.send(
      { method: 'GET', path: `/webhooks/${encodeURIComponent(id)}`, isData: true, isRead: true },
      opcoes,
    )) as Answers.ObterWebhookResposta;
  }

  /** Alterar, desativar ou reativar um webhook. */
  async alterarWebhook(
    id: Id,
    corpo: Requests.AlterarWebhookCorpo = {},
    opcoes?: CallOptions,
  ): Promise<Answers.AlterarWebhookResposta> {
    return (await this.send(
      { method: 'PUT', path: `/webhooks/${encodeURIComponent(id)}`, body: corpo, isData: true },
      opcoes,
    )) as Answers.AlterarWebhookResposta;
  }

  /** Excluir um webhook. */
  async excluirWebhook(id: Id, opcoes?: CallOptions): Promise<Answers.ExcluirWebhookResposta> {
    return (await this.send(
      { method: 'DELETE', path: `/webhooks/${encodeURIComponent(id)}` },
      opcoes,
    )) as Answers.ExcluirWebhookResposta;
  }

  /** Ler o estado de um webhook. */
  async obterStatusWebhook(id: Id, opcoes?: CallOptions): Promise<Answers.ObterStatusWebhookResposta> {
    return (await this.send(
      { method: 'GET', path: `/webhooks/${encodeURIComponent(id)}/status`, isData: true, isRead: true },
      opcoes,
    )) as Answers.ObterStatusWebhookResposta;
  }

  /** Trocar o segredo de um webhook. */
  async trocarSegredoWebhook(id: Id, opcoes?: CallOptions): Promise<Answers.TrocarSegredoWebhookResposta> {
    return (await this.send(
      { method: 'POST', path: `/webhooks/${encodeURIComponent(id)}/segredo`, isData: true },
      opcoes,
    )) as Answers.TrocarSegredoWebhookResposta;
  }

  /** Enviar um evento de teste. */
  async testarWebhook(id: Id, opcoes?: CallOptions): Promise<Answers.TestarWebhookResposta> {
    return (await this.send(
      { method: 'POST', path: `/webhooks/${encodeURIComponent(id)}/teste`, isData: true },
      opcoes,
    )) as Answers.TestarWebhookResposta;
  }

  /** Listar os envios de um webhook. */
  async listarEnvios(
    id: Id,
    consulta: Requests.ListarEnviosConsulta = {},
    opcoes?: CallOptions,
  ): Promise<Answers.ListarEnviosResposta> {
    return (await this.send(
      {
        method: 'GET',
        path: `/webhooks/${encodeURIComponent(id)}/envios`,
        query: consulta,
        isData: true,
        isRead: true,
      },
      opcoes,
    )) as Answers.ListarEnviosResposta;
  }

  /** Reenviar um evento. */
  async reenviarEnvio(id: Id, opcoes?: CallOptions): Promise<Answers.ReenviarEnvioResposta> {
    return (await this.send(
      { method: 'POST', path: `/webhooks/envios/${encodeURIComponent(id)}/reenviar`, isData: true },
      opcoes,
    )) as Answers.ReenviarEnvioResposta;
  }

  /** Reenviar os eventos de um período. */
  async reenviarEnvios(
    id: Id,
    corpo: Requests.ReenviarEnviosCorpo,
    opcoes?: CallOptions,
  ): Promise<Answers.ReenviarEnviosResposta> {
    return (await this.send(
      { method: 'POST', path: `/webhooks/${encodeURIComponent(id)}/reenviar`, body: corpo, isData: true },
      opcoes,
    )) as Answers.ReenviarEnviosResposta;
  }
}
