import { counted, type Language } from './formats.ts';

type Words = (pt: string, en: string) => string;

interface Load {
  peso_kg: number | null;
  volume_litros: number | null;
  pacotes: number | null;
}

interface OrderDemands extends Load {
  equipamentos: readonly string[];
  prioridade: number | null;
}

interface StopDemands extends Load {
  entregar_de: string | null;
  entregar_ate: string | null;
  janela_obrigatoria: boolean;
}

/** The equipment of drivers, by its code. */
export const equipmentLabels: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  bag_termica: { pt: 'bag térmica', en: 'thermal bag' },
  bau: { pt: 'baú', en: 'box' },
  bau_termico: { pt: 'baú térmico', en: 'thermal box' },
};

export const equipmentWords = (codes: readonly string[], language: Language): string =>
  codes.map((code) => equipmentLabels[code]?.[language] ?? code).join(', ');

/** "2 pacotes · 3,5 kg · 20 L", or nothing. */
export function loadWords({ pacotes, peso_kg, volume_litros }: Load, t: Words, language: Language): string {
  const number = (value: number) => value.toLocaleString(language === 'pt' ? 'pt-BR' : 'en');
  return [
    pacotes !== null && t(counted(pacotes, 'pacote', 'pacotes'), counted(pacotes, 'package', 'packages')),
    peso_kg !== null && `${number(peso_kg)} kg`,
    volume_litros !== null && `${number(volume_litros)} L`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The priority in words; nothing for the normal one. */
export const priorityWords = ({ prioridade }: Pick<OrderDemands, 'prioridade'>, t: Words): string =>
  prioridade === null || prioridade === 0
    ? ''
    : (['', t('alta', 'high'), t('muito alta', 'very high'), t('máxima', 'highest')][prioridade] ?? '');

/** "entre 20:00 e 20:30", "até 20:30" or "a partir de 20:00"; empty without times. */
export function windowWords(
  { entregar_de, entregar_ate, janela_obrigatoria }: StopDemands,
  t: Words,
  clock: (at: string) => string,
): string {
  const words =
    entregar_de && entregar_ate
      ? t(
          `entre ${clock(entregar_de)} e ${clock(entregar_ate)}`,
          `between ${clock(entregar_de)} and ${clock(entregar_ate)}`,
        )
      : entregar_ate
        ? t(`até ${clock(entregar_ate)}`, `by ${clock(entregar_ate)}`)
        : entregar_de
          ? t(`a partir de ${clock(entregar_de)}`, `from ${clock(entregar_de)}`)
          : '';
  return words && janela_obrigatoria ? `${words}, ${t('só nesse horário', 'only then')}` : words;
}
