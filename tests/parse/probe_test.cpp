#include "tests/parse/parsing.h"
#include <iostream>
#include <fstream>
using namespace cardwright;
TEST_CASE("probe") { std::ifstream f("/tmp/build-parse/probe.txt"); std::string l;
 while(std::getline(f,l)){ if(l.size()<2) continue; std::string b=l.substr(2); for(size_t i; (i=b.find("\\n"))!=std::string::npos;) b.replace(i,2,"\n");
  std::cout<<l<<"\n   => "<<(l[0]=='d'?decls(b):l[0]=='s'?stmts(b):l[0]=='w'?"\n"+Parsed(b).messages():expr(b))<<"\n"; } }
