type Label = readonly [pt: string, en: string];

/** What people call the fields of the two interfaces. Settings have their labels in settingGroups.ts. */
const LABELS: Readonly<Record<string, Label>> = {
  apos_tentativas: ['Depois da última tentativa', 'After the last attempt'],
  area_id: ['Área de atuação', 'Operating area'],
  ate: ['Até', 'Until'],
  ativa: ['Ativa', 'Active'],
  ativo: ['Ativo', 'Active'],
  ausente: ['Ninguém no local', 'Nobody there'],
  autor: ['Autor', 'Author'],
  registro_id: ['Registro', 'Record'],
  comparar_de: ['Comparar de', 'Compare from'],
  comparar_ate: ['Comparar até', 'Compare until'],
  por: ['Por', 'By'],
  status: ['Status', 'Status'],
  ordem: ['Ordem', 'Order'],
  contar: ['Contar', 'Count'],
  lista: ['Lista', 'List'],
  filtros: ['Filtros', 'Filters'],
  compartilhada: ['Compartilhada', 'Shared'],
  bairro: ['Bairro', 'District'],
  bandeirada: ['Bandeirada', 'Base fare'],
  bateria: ['Bateria', 'Battery'],
  categoria_id: ['Categoria', 'Category'],
  categoria_nome: ['Categoria', 'Category'],
  categoria_padrao_id: ['Categoria padrão', 'Default category'],
  cep: ['CEP', 'Postal code'],
  cidade: ['Cidade', 'City'],
  cliente: ['Cliente', 'Customer'],
  codigo: ['Código', 'Code'],
  codigo_confirmacao: ['Código de confirmação', 'Confirmation code'],
  codigo_cupom: ['Cupom', 'Coupon'],
  com_retorno: ['Com retorno', 'With return'],
  complemento: ['Complemento', 'Complement'],
  condutor_id: ['Entregador', 'Driver'],
  cor: ['Cor', 'Colour'],
  cpf: ['CPF', 'CPF'],
  cpf_cnpj: ['CPF ou CNPJ', 'CPF or CNPJ'],
  data: ['Data', 'Date'],
  de: ['De', 'From'],
  descricao: ['Descrição', 'Description'],
  comprovante_assinatura: ['Assinatura de quem recebe', 'Signature of who receives it'],
  comprovante_foto: ['Foto da entrega', 'Photo of the handing over'],
  comprovante_nome: ['Nome de quem recebe', 'Name of who receives it'],
  comprovante_valor: ['Valor recebido', 'Amount received'],
  desejado: ['Retorno', 'Return'],
  dias: ['Dias', 'Days'],
  disponivel: ['Disponível', 'Available'],
  com_entrega: ['Com entrega', 'Carrying'],
  cursor: ['Página', 'Page'],
  em: ['Momento', 'Moment'],
  id: ['Número', 'Number'],
  otimizar: ['Melhor ordem', 'Best order'],
  empresa: ['Empresa', 'Company'],
  empresa_id: ['Empresa', 'Company'],
  endereco: ['Endereço', 'Address'],
  entrega_id: ['Entrega', 'Delivery'],
  endereco_errado: ['Endereço errado', 'Wrong address'],
  estado: ['UF', 'State'],
  exige_liberacao: ['Exige liberação', 'Requires release'],
  falha: ['Quando uma parada não é entregue', 'When a stop is not delivered'],
  fator: ['Fator', 'Factor'],
  fator_retorno: ['Fator do retorno', 'Factor of the return'],
  fim: ['Fim', 'End'],
  fixo: ['Fixo por entrega', 'Fixed, per delivery'],
  forma_pagamento: ['Pagamento', 'Payment'],
  forma_recebimento: ['Forma do recebimento', 'How it was paid'],
  formato: ['Formato', 'Format'],
  geometria: ['Desenho da área', 'Shape of the area'],
  gerador_cupom_id: ['Gerador', 'Generator'],
  hora: ['Hora', 'Time'],
  id_externo: ['Código no seu sistema', 'Code in your system'],
  id_mch: ['Entrega', 'Delivery'],
  identificacao: ['Identificação', 'Identification'],
  identificador: ['Identificador', 'Identifier'],
  inicio: ['Início', 'Start'],
  instante: ['Momento', 'Moment'],
  lancamento_id: ['Lançamento', 'Entry'],
  lat: ['Latitude', 'Latitude'],
  limite: ['Registros por página', 'Records per page'],
  limite_usos: ['Usos ao todo', 'Uses in total'],
  limite_usos_por_empresa: ['Usos por empresa', 'Uses per company'],
  lng: ['Longitude', 'Longitude'],
  minimo: ['Valor mínimo', 'Minimum amount'],
  motivo: ['Motivo', 'Reason'],
  motivo_id: ['Motivo', 'Reason'],
  nome: ['Nome', 'Name'],
  nome_cliente: ['Destinatário', 'Recipient'],
  nome_destinatario: ['Destinatário', 'Recipient'],
  nome_en: ['Nome em inglês', 'Name in English'],
  numero_contrato: ['Número do contrato', 'Contract number'],
  numero_pedido: ['Nº do pedido', 'Order no.'],
  observacao: ['Observação', 'Note'],
  ocorrido_em: ['Momento', 'Moment'],
  outro: ['Outro motivo', 'Another reason'],
  padrao: ['Padrão', 'Default'],
  pagina: ['Página', 'Page'],
  parada_id: ['Parada', 'Stop'],
  partida: ['Coleta', 'Pickup'],
  percentual: ['Percentual', 'Percentage'],
  perfil: ['Perfil', 'Profile'],
  perto_de: ['Perto de', 'Near'],
  placa: ['Placa', 'Plate'],
  por_km: ['Valor por km', 'Amount per km'],
  por_minuto: ['Valor por minuto', 'Amount per minute'],
  por_parada: ['Por parada', 'Per stop'],
  por_parada_extra: ['Valor por parada a mais', 'Amount per further stop'],
  posicao: ['Ponto no mapa', 'Place on the map'],
  precisao: ['Precisão', 'Precision'],
  recusado: ['Recusou receber', 'Refused to receive'],
  recebido_por: ['Recebido por', 'Received by'],
  referencia: ['Referência', 'Landmark'],
  repasse: ['Repasse ao entregador', 'Driver’s share'],
  sem_codigo_motivo: ['Por que sem código ou comprovante', 'Why without a code or proof'],
  senha: ['Senha', 'Password'],
  simulado: ['Simulado', 'Simulated'],
  situacao: ['Situação', 'Situation'],
  somente_falhas: ['Somente os que falharam', 'Only those that failed'],
  status_solicitacao: ['Status', 'Status'],
  telefone: ['Telefone', 'Phone'],
  telefone_cliente: ['Telefone do destinatário', "Recipient's phone"],
  telefone_destinatario: ['Telefone do destinatário', "Recipient's phone"],
  tentativa: ['Número da visita', 'Number of the visit'],
  tentativas_max: ['Tentativas por corrida', 'Attempts in a run'],
  texto: ['Texto', 'Text'],
  tipo: ['Tipo', 'Kind'],
  texto_ajuda: ['Como o destinatário pede ajuda', 'How a recipient gets help'],
  tipo_identificacao: ['Tipo de identificação', 'Kind of identification'],
  tipo_pagamento: ['Pagamento', 'Payment'],
  url: ['Endereço', 'Address'],
  usuario: ['Usuário', 'User'],
  valido_ate: ['Válido até', 'Valid until'],
  valor: ['Valor', 'Amount'],
  valor_cobrar: ['Valor a cobrar', 'Amount to collect'],
  valor_recebido: ['Valor recebido', 'Amount received'],
  veiculo: ['Veículo', 'Vehicle'],
  versao: ['Versão', 'Version'],
};

/** Lists: the label of the list, and of one entry, which is followed by its number. */
const LISTS: Readonly<Record<string, { list: Label; entry: Label }>> = {
  categorias: { list: ['Categorias', 'Categories'], entry: ['Categoria', 'Category'] },
  empresas: { list: ['Empresas', 'Companies'], entry: ['Empresa', 'Company'] },
  janelas: { list: ['Horários especiais', 'Special hours'], entry: ['Horário especial', 'Special hours'] },
  latlng_paradas: { list: ['Paradas', 'Stops'], entry: ['Parada', 'Stop'] },
  paradas: { list: ['Paradas', 'Stops'], entry: ['Parada', 'Stop'] },
  pontos: { list: ['Pontos', 'Points'], entry: ['Ponto', 'Point'] },
  posicoes: { list: ['Posições', 'Positions'], entry: ['Posição', 'Position'] },
  programadas_agrupadas: {
    list: ['Programadas a agrupar', 'Scheduled deliveries to group'],
    entry: ['Programada', 'Scheduled delivery'],
  },
  solicitacoes_agrupadas: {
    list: ['Entregas a agrupar', 'Deliveries to group'],
    entry: ['Entrega', 'Delivery'],
  },
  tipos: { list: ['Tipos de evento', 'Event types'], entry: ['Tipo de evento', 'Event type'] },
};

/** The estimate names the fields of its places with these endings. */
const PLACE = /_(parada|partida|desejado)$/;

/** The label of a field by the server's name for it, e.g. `paradas[0].lat_parada`; undefined for unknown fields. */
export function fieldLabel(field: string, language: 'pt' | 'en'): string | undefined {
  const inLanguage = ([pt, en]: Label) => (language === 'pt' ? pt : en);
  const labels = field.split('.').map((part) => {
    const [, name = '', index] = /^(\w+)(?:\[(\d+)\])?$/.exec(part) ?? [];
    const list = LISTS[name];
    if (list) return index ? `${inLanguage(list.entry)} ${Number(index) + 1}` : inLanguage(list.list);
    const [, placeName] = PLACE.exec(name) ?? [];
    const label = LABELS[name] ?? LABELS[name.replace(PLACE, '')];
    const place = field === name && placeName ? LABELS[placeName] : undefined;
    return label && [...(place ? [place] : []), label].map(inLanguage).join(', ');
  });
  return labels.includes(undefined) ? undefined : labels.join(', ');
}

/** A message about invalid input, with the label of the field instead of its name. Other messages stay as they are. */
export function withFieldLabel(message: string, language: 'pt' | 'en'): string {
  const [, field, words] = /^'([^']+)': (.*)$/s.exec(message) ?? [];
  if (!field || !words) return message;
  const label = fieldLabel(field, language);
  return label ? `${label}: ${words}` : words.charAt(0).toUpperCase() + words.slice(1);
}
