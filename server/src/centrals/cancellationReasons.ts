/** What every central starts with; the place in the list is the id. */
export const cancellationReasons = [
  { pt: 'Tempo de espera', en: 'Waiting time' },
  { pt: 'Mudança de planos', en: 'Change of plans' },
  { pt: 'Acidente ou veículo quebrado', en: 'Accident or broken vehicle' },
  { pt: 'Local de difícil acesso', en: 'Hard to reach' },
  { pt: 'Cliente ausente', en: 'Customer absent' },
  { pt: 'Outro', en: 'Other' },
  { pt: 'Endereço errado', en: 'Wrong address' },
  { pt: 'Em andamento há mais de 24 horas', en: 'In progress over 24 hours' },
  { pt: 'Falha no sistema', en: 'System failure' },
  { pt: 'Outros casos', en: 'Other cases' },
  { pt: 'Rejeitada', en: 'Rejected' },
  { pt: 'Entregador não virá', en: 'Driver not coming' },
  { pt: 'Transação recusada', en: 'Transaction refused' },
] as const;
