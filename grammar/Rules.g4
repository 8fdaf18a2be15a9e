// Defines the grammar of Cardwright's rules language: one rules file, from `game` to the last scenario.
//
// Input:  tokens filtered by compiler/parse/words.cpp. It drops insignificant newlines, converts a contextual keyword
//         that is used as a name to an ID (`draw`, `top` and `table` are valid names), and joins multi-word keywords into
//         one token (`or else`, `at least`, `instead of`; the lexer rules below have no spelling for these tokens).
// Output: a parse tree that compiler/parse/build_*.cpp converts to the AST.
// Because of this filter, most decisions need one token of lookahead, and every shipped file parses in SLL mode
// (tests/parse/shipped_test.cpp).
//
// Add a new keyword to the lexer rules at the end *and* to the table in compiler/parse/words.cpp, which lists the
// positions in which it is a keyword.
grammar Rules;

// Tokens that words.cpp creates, mostly by joining words. ARTICLE is the `a` in `a Ducky`, UNIT is the `s` in `3 s` and
// the `CL` in `1.5 CL`, CARDS is the `cards` in `2 cards from z`, SAID_OF is the `every` in `every card in z is Food`,
// AT_CELL is the `at` in `tokens at c`, AT_END is the `at end` in a measure, CODE is the `W0010` in `allow W0010`, and
// FOR_ALSO is the comma in `sum of e for x in S, y in T`.
tokens {
  OR_ELSE, OR_KIND, OR_PASS, NOT_IN, IS_NOT, IS_ALSO, IS_VOID, DISJOINT_FROM, AT_LEAST, AT_MOST, AT_RANDOM, AT_ONCE,
  UP_TO, IN_FORCE, REAL_TIME, INSTEAD_OF, END_WHEN, CARD_TYPE, CHARACTER_TYPE, WITH_BEST, THEN_BEST, COMMA_THEN,
  ONCE_PER, CHECK_END, EACH_OF, ALL_OF, STARTING_WITH, DOESNT_KNOW, MAY_PASS, FOR_ALSO, CARDS, ARTICLE, ANY_NUMBER, UNIT,
  WITHIN_TIME, AT_FIRST, BY_HAND, OF_QUIET, NOBODY_CAN, TURN_OVER, LOG_HAS,
  SECRET, SAID_OF, AT_CELL, AT_END, LATEST_FIRST, CODE
}

// ---------------------------------------------------------------------------------------------- the file

file : (head | decl | sep)* EOF ;
sep  : NL | ';' ;
head : 'game' STR ('extends' ID)?
     | 'library' ID ('on' ID (':' ('grid' | 'hex' | ID))?)? ('with' field (',' field)*)? ;
lone : expr NL? EOF ;                              // an expression in the braces of a string
body : '{' (decl | sep)* '}' ;

decl : playersDecl | useDecl | constDecl | unitDecl | optionDecl | withDecl | variantDecl | relation | warnDecl
     | enumDecl | recordDecl | cardType | card | characterType | character | deck
     | stateDecl | teamsDecl | zone | area | pieceDecl | boardDecl | timerDecl | coversDecl | facingDecl | showsDecl | fields
     | valueDecl | functionDecl | eventDecl | windowDecl | actionDecl
     | playDecl | playsTo | whileDecl | inForce | textDecl | hasDecl | sentence
     | modify | forbid | allowance | trigger | whenever | measureDecl | setupDecl | endWhen | endingDecl
     | policyDecl | policyRule
     | removeDecl | replaceDecl | scene | scenario | dieDecl | facesDecl ;

// ---------------------------------------------------------------------------------------------- game and options

playersDecl : 'players' expr (',' 'usually' expr)? ;
useDecl     : 'use' path ('on' ID)? ('with' arg (',' arg)*)? ;
path        : ID ('.' ID)* ;
unitDecl    : 'unit' ID '=' expr ;
constDecl   : ('const' | 'let') ID (':' type)? '=' expr ;
optionDecl  : 'option' ID STR? (':' type '=' expr | (':' | '=') optionValue ('|' optionValue)*)? STR? ;
optionValue : (ID | NUM | 'none') body? ;
withDecl    : ('with' | 'without') expr body ('otherwise' body)? ;
variantDecl : 'variant' STR '{' (setting | ',' | sep)* '}' ;
setting     : ID ('=' expr)? ;
relation    : ('conflict' | 'require') expr 'with' expr STR? ;
warnDecl    : 'warn' 'when' expr STR? ;

// Declarations that begin with a name: `Miss in me.hand is also Splash`, `snorkel is void with duel`, `a implies b`.
sentence : ID ('in' postfix IS_ALSO ID
             | IS_VOID ('with' | 'when') expr STR?
             | ('==' postfix)? 'implies' expr ('unless' expr)?) ;

// ---------------------------------------------------------------------------------------------- components

enumDecl : 'enum' ID ('from' STR ('where' expr)?)? enumBody? ;
enumBody : '{' (enumItem | ',' | sep)* '}' ;
enumItem : ('with' | 'without') expr enumBody ('otherwise' enumBody)?
         | ID (args | ':' type)? ('=' expr)? ;

recordDecl : 'record' ID body ;

cardType      : CARD_TYPE ID (':' ID)? STR? (body STR?)? ;
card          : 'card' ID (':' ID)? (',' attr)* STR? body? ;
characterType : CHARACTER_TYPE ID body? ;
character     : 'character' ID (':' ID)? (',' attr)* STR? body? ;
attr          : ID expr ;

deck       : 'deck' ID (':' ID args?)? deckClause* (deckBody deckClause*)? ;
deckClause : 'x' expr
           | 'into' ID
           | 'from' STR ('where' expr)?
           | ','? 'total' expr
           | ',' ID 'of' 'each'
           | ',' 'by' ID
           | ',' ID args? 'x' expr ;
deckBody   : '{' (deckItem | ',' | sep)* '}' ;
deckItem   : 'total' expr
           | 'each' gen (',' gen)* (':' deckItem | deckBody)
           | 'each' ID ('x' expr)?
           | 'players' NUM+
           | ('with' | 'without') expr deckBody ('otherwise' deckBody)?
           | ID args? NUM* ('x' expr)? ;

// ---------------------------------------------------------------------------------------------- state

stateDecl : ('player' | 'table' | 'team') body ;
teamsDecl : 'teams' ('each' | expr (',' expr)*) ;
zone      : 'zone' ID ':' zoneAttr (',' zoneAttr)* ;
zoneAttr  : ID ('of' ID ID | 'from' ID | 'with' expr (ID args?)? | 'without' ID)? ;
area      : 'area' ID 'x' expr body ;
pieceDecl : 'piece' ID ('x' postfix | ',' ID 'per' ID) 'on' ID body? ;
coversDecl : 'covers' (ID '[' offset (',' offset)* ']' | expr ('x' expr | ID)?) ;
offset    : '(' expr ',' expr ')' ;
dieDecl   : 'die' ID ('x' postfix)? body? ;
facesDecl : 'faces' expr (',' ID)* ;
facingDecl : 'facing' expr ;
showsDecl : 'shows' expr STR? ;
timerDecl : 'timer' ID STR? ;
boardDecl : 'board' ID ':' boardShape body? ;
boardShape : ('grid' | 'hex') expr 'x' expr ('wraps' ID)?
           | ID 'from' STR                                                        // graph
           | ID (~('{' | '}' | NL | ';'))* ;                                    // rejected by report_unknown_board()
fields    : ('unprinted' | ('turn' | 'round' | 'phase') 'var')? field (',' (field | ID))* ;
field     : ID (':' type ('=' expr)? | '=' expr | '-'? NUM) ;

type     : typeTerm ('per' type)? ;
typeTerm : ( 'set' 'of' typeTerm
           | 'list' 'of' typeTerm UP_TO postfix
           | 'rule' '(' (type (',' type)*)? ')' '->' type
           | expr ) '?'? ;

// ---------------------------------------------------------------------------------------------- rules

valueDecl    : 'kept'? 'value' ID params? (':' type)? (',' LATEST_FIRST)? ('=' expr clamp* (',' LATEST_FIRST)? | block)? ;
clamp        : (AT_LEAST | AT_MOST) expr ;
functionDecl : ('function' | 'sequence') ID params (':' type)? ('nested' UP_TO expr)? ('=' expr | block) ;
eventDecl    : 'event' ID params? (':' type)? (',' expr 'orders' 'replacements')? ('nested' UP_TO expr)? block? ;
windowDecl   : 'window' ID params? (':' type)? block ;

params : '(' (param (',' param)*)? ')' ;
param  : ID ( ':' ( ('exactly' | UP_TO) expr ID 'in' expr
                  | ANY_NUMBER ID ('in' expr)?
                  | type (ID 'in' expr)? )
            | 'in' expr )?
         ('=' expr)? ('keeping' expr)? ;

actionDecl : 'action' ID params? ('in' windows)? actionPart* block aftermath* ;
actionPart : ','? ('free' | limit | 'when' expr)
           | 'by' expr
           | STR
           | ',' SECRET
           | timePart ;
timePart   : ',' ('must' ('if' expr)? | 'sensible' 'if' expr | 'takes' latency | BY_HAND)
           | COMMA_THEN 'busy' latency ;
latency    : expr (AT_FIRST COMMA_THEN expr)? (',' AT_LEAST expr)? ;
windows    : 'any' ID | ID (('or' | ',') ID)* ;
limit      : ONCE_PER ID ('and' ID)? ('as' ID)? | 'as' ID ;
aftermath  : ('late' | 'wrong') ('or' ('late' | 'wrong'))? block ;

playDecl  : 'play' (block | 'in' windows params? playPart* (block aftermath*)?) ;
playPart  : ','? ('free' | limit | 'when' expr) | 'to' expr | 'by' expr | STR | timePart ;
playsTo   : 'plays' 'to' expr ('replacing' 'any' ID)? ;
whileDecl : 'while' ('in' | 'on') ID (',' ID)* body ;
inForce   : ','? IN_FORCE expr ;
textDecl  : 'text' STR ;
hasDecl   : 'has' ID ;

modify       : 'modify' ID ('.' ID)? args? ('when' expr)? ('to' expr | 'by' expr | clamp) ('when' expr)? ;
allowance    : 'allow' CODE (',' CODE)* STR? ;
forbid       : ('forbid' | 'allow') forbidden (',' forbidden)* ('when' expr)? ;
forbidden    : 'any' ID ('as' ID)? | ID ID? args? ('as' ID)? ;
policyDecl   : 'policy' ID ('for' ID)? STR? body ;
policyRule   : ('avoid' | 'weight') spoken (',' spoken)* (('by' | 'when') expr)* ;
spoken       : 'any' ID ('as' ID)? | ID ID? args? ('as' ID)? ;
trigger      : ('before' | 'after' | INSTEAD_OF) watched ('when' expr)? block ;
watched      : ('any' ID ('in' windows)? ('except' ID (',' ID)*)? | ('phase' | 'play')? ID args?) ('by' expr)? ;
whenever     : 'whenever' (ID ':')? expr block ;
measureDecl  : 'measure' ID STR? ('per' expr (',' expr)*)? ':' measured moment ('when' expr)? ;
measured     : 'count' | ('sum' | 'mean' | 'share') expr ;
moment       : ('before' | 'after' | 'late' | 'wrong') watched | 'each' ID | AT_END ;
setupDecl    : 'setup' block ;
endWhen      : END_WHEN expr STR? block ;
endingDecl   : 'ending' ID 'when' expr STR? block ;
removeDecl   : 'remove' (relation | warnDecl | sentence | ID (ID | STR STR?)) ;
replaceDecl  : 'replace' decl ;

// ---------------------------------------------------------------------------------------------- scenarios

scene    : 'scene' ID ('for' expr ID)? ('with' setting (',' setting)*)?
           '{' (('given'? given (',' given)*)? sep)* '}' ;
scenario : 'scenario' STR ('in' ID)? ('for' expr ID)? ('with' setting (',' setting)*)? '{' (line | sep)* '}' ;
line     : 'given' given (',' given)*
         | 'when' step ((',' | 'and') step)*
         | 'then' AT_ONCE? expr (',' expr)* ;
given    : 'only' ID (',' ID)* 'are' 'in' | expr ('facedown'? ('=' expr)? | 'facing' expr 'facedown'? | 'off' ID) ;
step     : time 'pass'
         | 'the' ID 'begins' ('with' ID NUM)?
         | ('at' time)? ID ( 'of' ID 'begins'
              | 'plays' item ('as' ID)? (('on' | 'with') item (',' item)*)? (COMMA_THEN item)*
              | 'uses' ID ('of' ID)? (('on' | 'with') item (',' item)*)?
              | 'does' ID ('with'? item (',' item)*)?
              | 'chooses' (AT_RANDOM | item (',' item)*)
              | 'arranges' item (',' item)*
              | 'rolls' item (',' item)*
              | 'passes'
              | 'says' ID ) ('in' time)? ;
time     : NUM UNIT ;
item     : '-'? postfix ;

// ---------------------------------------------------------------------------------------------- statements

block : '{' (stmt? sep)* '}' ;
stmt  : ('let' | 'var') ID (':' type)? ('=' expr)?
      | 'if' expr (block | 'then' stmt) ('else' (block | stmt))?
      | 'each' gen (',' gen)* ('from' expr | 'at' ID)* block
      | 'repeat' UP_TO? expr 'times'? ('while' expr)? block
      | 'while' expr block
      | 'return' (expr STR?)?
      | ('yield' | 'reveal' | 'eliminate') expr
      | 'winners' expr STR?
      | CHECK_END
      | 'end' 'phase'? path
      | 'afterwards' block
      | 'ask' (EACH_OF | ALL_OF)? expr askTail*
      | 'move' thing (',' thing)* 'to' expr facing? (',' expr 'picks' 'the' ID)?
      | 'deal' expr ('of' expr)? ('from' expr)? 'to' (expr | 'each' ID ('.' ID)?) facing?
      | 'shuffle' expr ('into' expr)?
      | 'peek' expr (',' expr)* ('by' expr)?
      | TURN_OVER expr 'onto' expr
      | 'turn' expr ('to' expr | facing)
      | 'swap' expr 'with' expr
      | 'log' STR
      | 'choose' choosing
      | 'may' 'choose' choosing
      | 'turns' ID? ('from' expr)? (','? flowTail)* block
      | 'rounds' (expr 'times'?)? (','? flowTail)* block
      | 'phase' ID block
      | ('with' | 'without') expr block ('otherwise' block)?
      | ('sight' | 'think' | 'patience') latency
      | 'countdown' expr ('then' block)?
      | 'after' expr OF_QUIET? STR? block
      | 'stalemate' ('when' NOBODY_CAN ID (('or' | ',') ID)*)? block
      | 'together' ('within' expr | block)
      | 'delay' postfix ('in' ID (('or' | ',') ID)*)? 'by' expr
      | 'pause' ID 'for' expr ('then' block)?
      | 'start' postfix 'for' expr
      | 'stop' postfix
      | 'place' expr facing*
      | 'lift' expr (',' expr)*
      | 'arrange' expr ('by' expr)? STR?
      | 'roll' expr
      | postfix (('=' | '+=' | '-=') expr | 'chooses' choosing | 'may' 'choose' choosing
                 | ('may' STR)? block ('else' (block | stmt))?)?
      ;

gen      : ID 'in' expr ('after' postfix ('where' expr)?)? ;
askTail  : OR_PASS | ','? (MAY_PASS | 'again') | 'until' expr ('when' expr)? | 'from' expr | AT_ONCE | REAL_TIME
         | WITHIN_TIME expr | 'otherwise' ID | STR ;
flowTail : (UP_TO | AT_MOST | 'until' | STARTING_WITH) expr ;
thing    : expr ('random'? CARDS 'from' expr)? ;
facing   : 'faceup' | 'facedown' | 'facing' expr ;

choosing : 'one' STR? '{' (choice | sep)* '}'
         | ID (':' counted)? 'from' source (',' 'or' source)*
           (STR | 'keeping' expr | 'by' expr)* (block ('else' block)? | 'else' block)? ;
counted  : ('exactly' | UP_TO)? expr (CARDS | ID) | ANY_NUMBER (CARDS | ID) ;
source   : AT_RANDOM 'from' expr | expr ;
choice   : STR ('when' expr)? block ;

// ---------------------------------------------------------------------------------------------- expressions

// An expression is parsed as a flat list of operands, prefixes and infix operators; build_expressions.cpp applies the
// precedence. A left-recursive rule would be four times slower in ANTLR with a cold cache, because a prefix form such
// as `if … else x` may end at any operator, which requires long lookahead. For the same reason, a token that may follow
// an expr must not begin a `link`: compare the sets before adding one.
expr   : prefix* postfix (link prefix* postfix | ending)* ;
prefix : '-' | '+' | 'not' | 'roll'
       | 'if' expr 'then' expr 'else'
       | ('any' | 'every' | 'no') ID 'in' expr 'has'
       | 'the' ID ('where' | 'in')
       | ('sum' | 'most' | 'least' | 'union' | 'list' | 'set' | 'count') 'of' expr 'for' ID 'in' ;
link   : '**' | '*' | '/' | 'mod' | 'div' | '+' | '-' | '±' | '&' | '..'
       | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | AT_CELL | 'on' | 'shows' | 'show' | NOT_IN | 'within' | DISJOINT_FROM | 'knows' | DOESNT_KNOW
       | 'and' | 'or' | 'where' | WITH_BEST | THEN_BEST | 'clockwise' 'from' | OR_ELSE
       | FOR_ALSO ID 'in' ;
ending : ('is' | IS_NOT) kinds
       | 'spread' postfix '%'
       | 'may' STR
       | 'wins' | 'loses'
       | (CANT | 'may') (ID | 'choose') (item ('as' ID)? (('on' | 'with') item (',' item)*)?)? ;
kinds  : ('on' | 'off') ID | ID (args | 'of' (ID | NUM))? (OR_KIND ID (args | 'of' (ID | NUM))?)* | ARTICLE ID | 'in' | 'none' ;

postfix : primary ('.' ID ('|' ID)? | args | '[' expr (',' expr)* ']')* ;
primary : ID 'of' (ID | NUM)
        | ID '|' ID
        | ID
        | (NUM | DECIMAL) UNIT?
        | STR
        | 'true' | 'false' | 'none' | 'unlimited'
        | '(' expr ')'
        | '[' (entry (',' entry)*)? ']'
        | ('first' | 'last' | 'only' | 'random' | 'card' | 'index') 'of' postfix
        | ('top' | 'bottom') (NUM | path args? | '(' expr ')')? 'of' postfix
        | 'open' ID
        | 'may' STR
        | 'all' 'but'? postfix
        | 'during' ID
        | 'supposing' postfix 'holds' postfix
        | ('any' | 'every' | 'no') ID ('is' | IS_NOT) kinds
        | SAID_OF ID 'in' postfix ('is' | IS_NOT) kinds
        | LOG_HAS STR (',' STR)*
        | ARTICLE ID ;
entry   : expr (':' expr)? ;
args    : '(' (arg (',' arg)*)? ')' ;
arg     : (ID ':')? expr ;

// ---------------------------------------------------------------------------------------------- lexer

LBRACE        : '{' ;
RBRACE        : '}' ;
LPAREN        : '(' ;
RPAREN        : ')' ;
LBRACKET      : '[' ;
RBRACKET      : ']' ;
COMMA         : ',' ;
SEMI          : ';' ;
COLON         : ':' ;
ADD_TO        : '+=' ;
TAKE_FROM     : '-=' ;
EQUAL         : '==' ;
UNEQUAL       : '!=' ;
LESS_EQUAL    : '<=' ;
GREATER_EQUAL : '>=' ;
LESS          : '<' ;
GREATER       : '>' ;
ASSIGN        : '=' ;
ARROW         : '->' ;
RANGE         : '..' ;
DOT           : '.' ;
PLUS          : '+' ;
MINUS         : '-' ;
PLUS_MINUS    : '±' ;
PERCENT       : '%' ;
POWER         : '**' ;
TIMES_SIGN    : '*' ;
SLASH         : '/' ;
AMPERSAND     : '&' ;
BAR           : '|' ;
QUESTION      : '?' ;

// Keywords. words.cpp converts contextual keywords to IDs in positions where a name is expected.
K_ACTION       : 'action' ;
K_AFTER        : 'after' ;
K_AFTERWARDS   : 'afterwards' ;
K_AGAIN        : 'again' ;
K_ALL          : 'all' ;
K_ALLOW        : 'allow' ;
K_AND          : 'and' ;
K_ANY          : 'any' ;
K_ARE          : 'are' ;
K_AREA         : 'area' ;
K_ARRANGE      : 'arrange' ;
K_ARRANGES     : 'arranges' ;
K_AS           : 'as' ;
K_ASK          : 'ask' ;
K_AT           : 'at' ;
K_AVOID        : 'avoid' ;
K_BEFORE       : 'before' ;
K_BEGINS       : 'begins' ;
K_BOARD        : 'board' ;
K_BOTTOM       : 'bottom' ;
K_BUSY         : 'busy' ;
K_BUT          : 'but' ;
K_BY           : 'by' ;
K_CARD         : 'card' ;
K_CHARACTER    : 'character' ;
K_CHOOSE       : 'choose' ;
K_CHOOSES      : 'chooses' ;
K_CLOCKWISE    : 'clockwise' ;
K_CONFLICT     : 'conflict' ;
K_CONST        : 'const' ;
K_COUNT        : 'count' ;
K_COUNTDOWN    : 'countdown' ;
K_COVERS       : 'covers' ;
K_DEAL         : 'deal' ;
K_DECK         : 'deck' ;
K_DELAY        : 'delay' ;
K_DIE          : 'die' ;
K_DIV          : 'div' ;
K_DOES         : 'does' ;
K_DURING       : 'during' ;
K_EACH         : 'each' ;
K_ELIMINATE    : 'eliminate' ;
K_ELSE         : 'else' ;
K_END          : 'end' ;
K_ENDING       : 'ending' ;
K_ENUM         : 'enum' ;
K_EVENT        : 'event' ;
K_EVERY        : 'every' ;
K_EXACTLY      : 'exactly' ;
K_EXCEPT       : 'except' ;
K_EXTENDS      : 'extends' ;
K_FACEDOWN     : 'facedown' ;
K_FACES        : 'faces' ;
K_FACEUP       : 'faceup' ;
K_FACING       : 'facing' ;
K_FALSE        : 'false' ;
K_FIRST        : 'first' ;
K_FOR          : 'for' ;
K_FORBID       : 'forbid' ;
K_FREE         : 'free' ;
K_FROM         : 'from' ;
K_FUNCTION     : 'function' ;
K_GAME         : 'game' ;
K_GIVEN        : 'given' ;
K_GRID         : 'grid' ;
K_HAS          : 'has' ;
K_HEX          : 'hex' ;
K_HOLDS        : 'holds' ;
K_IF           : 'if' ;
K_IMPLIES      : 'implies' ;
K_IN           : 'in' ;
K_INDEX        : 'index' ;
K_INTO         : 'into' ;
K_IS           : 'is' ;
K_KEEPING      : 'keeping' ;
K_KEPT         : 'kept' ;
K_KNOWS        : 'knows' ;
K_LAST         : 'last' ;
K_LATE         : 'late' ;
K_LEAST        : 'least' ;
K_LET          : 'let' ;
K_LIBRARY      : 'library' ;
K_LIFT         : 'lift' ;
K_LIST         : 'list' ;
K_LOG          : 'log' ;
K_LOSES        : 'loses' ;
K_MAY          : 'may' ;
K_MEAN         : 'mean' ;
K_MEASURE      : 'measure' ;
K_MOD          : 'mod' ;
K_MODIFY       : 'modify' ;
K_MOST         : 'most' ;
K_MOVE         : 'move' ;
K_MUST         : 'must' ;
K_NESTED       : 'nested' ;
K_ORDERS       : 'orders' ;
K_REPLACEMENTS : 'replacements' ;
K_NO           : 'no' ;
K_NONE         : 'none' ;
K_NOT          : 'not' ;
K_OF           : 'of' ;
K_OFF          : 'off' ;
K_ON           : 'on' ;
K_ONE          : 'one' ;
K_ONLY         : 'only' ;
K_ONTO         : 'onto' ;
K_OPEN         : 'open' ;
K_OPTION       : 'option' ;
K_OR           : 'or' ;
K_OTHERWISE    : 'otherwise' ;
K_PASS         : 'pass' ;
K_PASSES       : 'passes' ;
K_PATIENCE     : 'patience' ;
K_PAUSE        : 'pause' ;
K_PEEK         : 'peek' ;
K_PER          : 'per' ;
K_PHASE        : 'phase' ;
K_PICKS        : 'picks' ;
K_PIECE        : 'piece' ;
K_PLACE        : 'place' ;
K_PLAY         : 'play' ;
K_PLAYER       : 'player' ;
K_PLAYERS      : 'players' ;
K_PLAYS        : 'plays' ;
K_POLICY       : 'policy' ;
K_RANDOM       : 'random' ;
K_RECORD       : 'record' ;
K_REMOVE       : 'remove' ;
K_REPEAT       : 'repeat' ;
K_REPLACE      : 'replace' ;
K_REPLACING    : 'replacing' ;
K_REQUIRE      : 'require' ;
K_RETURN       : 'return' ;
K_REVEAL       : 'reveal' ;
K_ROLL         : 'roll' ;
K_ROLLS        : 'rolls' ;
K_ROUND        : 'round' ;
K_ROUNDS       : 'rounds' ;
K_RULE         : 'rule' ;
K_SAYS         : 'says' ;
K_SCENARIO     : 'scenario' ;
K_SCENE        : 'scene' ;
K_SENSIBLE     : 'sensible' ;
K_SEQUENCE     : 'sequence' ;
K_SET          : 'set' ;
K_SETUP        : 'setup' ;
K_SHARE        : 'share' ;
K_SHOW         : 'show' ;
K_SHOWS        : 'shows' ;
K_SHUFFLE      : 'shuffle' ;
K_SIGHT        : 'sight' ;
K_SPREAD       : 'spread' ;
K_STALEMATE    : 'stalemate' ;
K_START        : 'start' ;
K_STOP         : 'stop' ;
K_SUM          : 'sum' ;
K_SUPPOSING    : 'supposing' ;
K_SWAP         : 'swap' ;
K_TABLE        : 'table' ;
K_TAKES        : 'takes' ;
K_TEAM         : 'team' ;
K_TEAMS        : 'teams' ;
K_TEXT         : 'text' ;
K_THE          : 'the' ;
K_THEN         : 'then' ;
K_THINK        : 'think' ;
K_TIMER        : 'timer' ;
K_TIMES        : 'times' ;
K_TO           : 'to' ;
K_TOGETHER     : 'together' ;
K_TOP          : 'top' ;
K_TOTAL        : 'total' ;
K_TRUE         : 'true' ;
K_TURN         : 'turn' ;
K_TURNS        : 'turns' ;
K_UNION        : 'union' ;
K_UNIT         : 'unit' ;
K_UNLESS       : 'unless' ;
K_UNLIMITED    : 'unlimited' ;
K_UNPRINTED    : 'unprinted' ;
K_UNTIL        : 'until' ;
K_USE          : 'use' ;
K_USES         : 'uses' ;
K_USUALLY      : 'usually' ;
K_VALUE        : 'value' ;
K_VAR          : 'var' ;
K_VARIANT      : 'variant' ;
K_WARN         : 'warn' ;
K_WEIGHT       : 'weight' ;
K_WHEN         : 'when' ;
K_WHENEVER     : 'whenever' ;
K_WHERE        : 'where' ;
K_WHILE        : 'while' ;
K_WINDOW       : 'window' ;
K_WINNERS      : 'winners' ;
K_WINS         : 'wins' ;
K_WITH         : 'with' ;
K_WITHIN       : 'within' ;
K_WITHOUT      : 'without' ;
K_WRAPS        : 'wraps' ;
K_WRONG        : 'wrong' ;
K_X            : 'x' ;
K_YIELD        : 'yield' ;
K_ZONE         : 'zone' ;

CANT    : 'can' ['’] 't' ;
DOESNT  : 'doesn' ['’] 't' ;
ID      : [\p{L}_] [\p{L}\p{N}_]* ;
DECIMAL : [0-9]+ '.' [0-9]+ ;                       // only before a unit
NUM     : [0-9]+ ;
STR     : '"' ('\\' ~[\r\n] | '{' (INNER | ~["{}\r\n])* '}' | ~["\\{}\r\n])* '"' ;
fragment INNER : '"' ('\\' ~[\r\n] | '{' (INMOST | ~["{}\r\n])* '}' | ~["\\{}\r\n])* '"' ;   // nested at most three levels, to bound the lexer's time
fragment INMOST : '"' ~["\r\n]* '"' ;
BAD_STR : '"' ~["\r\n]* ;                           // no closing quote on the line, or a `{` without `}`
COMMENT : '//' ~[\r\n]* -> skip ;
SPACE   : [ \t\uFEFF]+ -> skip ;
NL      : '\r'? '\n' | '\r' ;
STRAY   : . ;                                       // reported as an invalid character, never skipped
