import { describe, expect, it } from '@jest/globals';
import { nameProblems } from './name-guard.ts';

describe('nameProblems', () => {
  it.each([
    ['link', 'Pagamentos em https://golpe.example/pix'],
    ['link', 'Escola Azul (golpe.com)'],
    ['threat', 'PAGUE HOJE ou seu nome vai ao SERASA'],
    ['threat', 'Nome sujo: pague hoje'],
    ['threat', 'SERASA EXPERIAN'],
    ['threat', 'Ｓｅｒａｓａ'],
    ['threat', 'S.E.R.A.S.A Cobranças'],
    ['threat', 'Vamos chamar a polícia'],
    ['threat', 'Você será processado'],
    ['threat', 'Serasa-ultimo-aviso-de-protesto'],
    ['shame', 'Caloteiros do Brasil'],
    ['third_party', 'Falo com seu chefe e sua família'],
    ['third_party', 'avisamos seu patrão'],
    ['false_urgency', 'Rua A, ÚLTIMO AVISO'],
    ['hidden_characters', 'S\u0435rasa'],
  ])('finds %s in %s', (problem, text) => {
    expect(nameProblems(text)).toContain(problem);
  });

  it.each([
    'Silva & Filhos Ltda',
    'Sociedade de Advogados Souza',
    'Colégio Sagrada Família',
    'Pague Menos Farmácias S/A',
    'Ladrilhos São João',
    'Marido de Aluguel Serviços',
    'Igreja Protestante Unida',
    'Rua Juiz de Fora',
    'Juiz de Fora',
    'Praça da Justiça',
    'Rua da Cadeia',
    'Rua do Morro',
    'Rua da Visitação',
    'Casa dos Amigos',
    'Cartório do 2º Ofício',
    "Rua Santa Bárbara d'Oeste",
    'Av. Brasil, 1290 - sala 3',
    'C.O.O.P. Agrícola',
    'Água & Luz 24h',
    '日本',
    'Empório 日本',
  ])('accepts %s', (text) => {
    expect(nameProblems(text)).toEqual([]);
  });

  it('reads the longest name at once', () => {
    const begun = performance.now();
    for (const part of ['a', 'a.', 'avis ', '- ', 'fal_']) nameProblems(part.repeat(10_000));
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});
